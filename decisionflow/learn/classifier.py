"""What all learners of companion rule lists share: reading data, the black box, predicting, measuring, writing."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, validate_data

from decisionflow.learn.black_box import (
    certainties,
    encoded,
    fit_black_box,
    is_estimator,
    is_fitted,
    predicted_labels,
    predicted_probabilities,
)
from decisionflow.learn.candidates import Candidates, MiningSettings, mine_candidates
from decisionflow.learn.companion_rule import NO_RULE, CompanionRule, first_rule, rules_within
from decisionflow.learn.condition import Columns, Condition
from decisionflow.learn.feature_table import as_frame, describe_features, read_columns
from decisionflow.learn.learning_errors import LearningDataError, SettingError
from decisionflow.learn.policy_text import PolicyHeader, policy_text
from decisionflow.learn.row_draws import row_draws
from decisionflow.learn.setting_kinds import check_kinds
from decisionflow.learn.table_forest import TableForest
from decisionflow.learn.trade_off import Autac, TradeOff, measure_trade_off
from decisionflow.learn.training_rows import Training, black_box_rows, digest, positive_weights, rows_of, two_classes

Labels = NDArray[np.int8]
Floats = NDArray[np.float64]
BLACK_BOX = "black_box"


class RuleChoice(NamedTuple):
    """What a learner chose: a condition, and the outcome as 0 or 1 (the place in `classes_`)."""

    condition: Condition
    outcome: int


@dataclass(eq=False, repr=False, kw_only=True)
class HybridClassifier(ClassifierMixin, BaseEstimator):
    """A rule list that answers where rules are as good, and leaves the other rows to a black box.

    A learner is a dataclass whose fields are its settings, these among them, and says in `_learn_rules` which rules it
    chooses.

    Parameters
    ----------
    black_box: a fitted or unfitted estimator, or an array `(n,)` of its predictions for the training rows. None is
        `TableForest`, a random forest. An unfitted one is cloned and fitted to the training rows, a fitted one used
        as it is.
    max_conditions: the most conditions that one rule joins.
    min_support: the smallest share of the training rows that a candidate may cover.
    negations: whether "is not" conditions are candidates.
    n_bins: quantile bins for columns of numbers.
    thresholds: column name -> ascending cuts to use in place of quantiles.
    max_candidates: how many candidates are kept, those of largest support; None for all.
    random_state: a seed; the same call gives the same answer.
    progress: called now and then with a `SearchProgress` while the search runs.

    Attributes
    ----------
    classes_: the two labels in order. rule_list_: the rules, `CompanionRule` each. candidates_: the conditions the
    rules were chosen from. black_box_: the fitted black box. features_: the columns as training saw them.
    trained_on_: the date, training_rows_: the number of rows of positive weight. training_trade_off_: the trade-off
    on these rows.
    """

    black_box: Any = field(default=None, kw_only=False)
    max_conditions: int = 2
    min_support: float = 0.01
    negations: bool = True
    n_bins: int = 7
    thresholds: Any = None
    max_candidates: int | None = 300
    random_state: Any = 0
    progress: Any = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> HybridClassifier:
        """Learn the rules from a DataFrame or numeric array `(n, d)` and two kinds of labels `(n,)`.

        A missing value satisfies no condition. Rows of weight 0 are left out.

        Raises LearningDataError and SettingError (both are ValueError too), ModelError where the black box fails,
        InfeasibleError where a learner proves that no list meets a constraint.
        """
        check_kinds(self)
        training = self._read_training(X, y, sample_weight)
        rng = self._generator()
        seed = int(rng.integers(2**31))
        candidates = mine_candidates(training.columns, self.features_, training.weights, self._mining_settings())
        self.candidates_ = candidates.conditions
        if self._black_box_comes_first():
            black_box = self._fit_black_box(training, None, seed)
            rules = self._learn_rules(candidates, training.labels, training.weights, black_box, rng)
        else:
            rules = self._learn_rules(candidates, training.labels, training.weights, None, rng)
            covered = first_rule([rule.condition.covers(training.columns) for rule in rules], training.rows) >= 0
            black_box = self._fit_black_box(training, self._emphasis(training, covered), seed)
        self._keep(rules, training, black_box)
        return self

    def predict(
        self,
        X: Any,
        transparency: float | None = None,
        *,
        stochastic: bool = False,
        seed: int = 0,
        black_box_predictions: Any = None,
    ) -> NDArray[Any]:
        """Labels `(n,)`, by the first rules that a transparency allows, else by the black box.

        Not given, or 1: the whole list; 0: the black box alone. In between the first m rules, m the largest number
        whose training coverages, added up, do not exceed it; `stochastic` lets the next rule answer as often as is
        left (Definition 3 of the companion rule lists; its z_m is read as the label of rule m + 1).
        """
        labels, _ = self.predict_with_source(
            X, transparency, stochastic=stochastic, seed=seed, black_box_predictions=black_box_predictions
        )
        return labels

    def predict_with_source(
        self,
        X: Any,
        transparency: float | None = None,
        *,
        stochastic: bool = False,
        seed: int = 0,
        black_box_predictions: Any = None,
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Labels `(n,)`, and for each the name of the rule that gave it, or `black_box`."""
        table, columns = self._read(X)
        deciding = self._deciding(table, columns, transparency, seed if stochastic else None)
        left = deciding == NO_RULE
        answers = np.append(self._rule_outcomes(), 0).astype(np.int8)[deciding]
        answers[left] = self._black_box_labels(table, left, black_box_predictions)
        names = np.array([*(rule.name for rule in self.rule_list_), BLACK_BOX], dtype=object)
        return self.classes_[answers], names[deciding]

    def predict_proba(self, X: Any, transparency: float | None = None, *, black_box_predictions: Any = None) -> Floats:
        """Probabilities `(n, 2)` in the order of `classes_`.

        A rule's probability for its label is its accuracy in training, but never so low that another label would be
        the more probable one.
        """
        table, columns = self._read(X)
        deciding = self._deciding(table, columns, transparency, None)
        left = deciding == NO_RULE
        probabilities = np.vstack([*map(self._rule_probabilities, self.rule_list_), np.zeros(2)])[deciding]
        if left.any() and black_box_predictions is None and is_estimator(self.black_box_):
            probabilities[left] = predicted_probabilities(self.black_box_, rows_of(table, left), self.classes_)
        else:
            probabilities[left] = certainties(self._black_box_labels(table, left, black_box_predictions))
        return probabilities

    def trade_off(self, X: Any, y: Any, sample_weight: Any = None, *, black_box_predictions: Any = None) -> TradeOff:
        """Transparency, accuracy and fidelity on these rows for each number of rules."""
        table, columns = self._read(X)
        weights = np.asarray(_check_sample_weight(sample_weight, table, dtype=np.float64))
        everywhere = np.ones(len(table), dtype=np.bool_)
        return measure_trade_off(
            self._deciding(table, columns, None, None),
            self._rule_outcomes(),
            encoded(column_or_1d(y), self.classes_, len(table)),
            self._black_box_labels(table, everywhere, black_box_predictions),
            weights,
        )

    def autac(self, X: Any, y: Any, sample_weight: Any = None, *, black_box_predictions: Any = None) -> Autac:
        """The area under the transparency-accuracy curve on these rows; `.transparency` is where the curve ends."""
        return self.trade_off(X, y, sample_weight, black_box_predictions=black_box_predictions).autac

    def rules_frame(self) -> pd.DataFrame:
        """One row per rule: name, condition, label, coverage, accuracy, black_box, and the transparency reached."""
        check_is_fitted(self)
        rows = [(r.name, r.condition.text, r.label, r.coverage, r.accuracy, r.black_box) for r in self.rule_list_]
        frame = pd.DataFrame(rows, columns=["rule", "condition", "label", "coverage", "accuracy", "black_box"])
        return frame.assign(transparency=frame["coverage"].cumsum())

    def to_policy(
        self,
        name: str,
        *,
        title: str | None = None,
        decision: str | None = None,
        black_box_name: str = BLACK_BOX,
        black_box_uri: str | None = None,
        black_box_inputs: Sequence[str] | None = None,
        black_box_column: str | None = None,
        data_date: datetime.date | None = None,
    ) -> str:
        """The learned list as text of the policy language, whose decision gives this estimator's own predictions.

        `name` names the policy and, unless `decision` says otherwise, its decision. The black box is the model
        `black_box_name`, read from `black_box_uri` or else to be bound from Python, and reads `black_box_inputs`
        (default: all columns); or it is a column of the data, `black_box_column`. `data_date` dates the training data
        (default: the day of training). A column that had missing values in training is optional; a label that
        training did not see makes the decision invalid, where the estimator asks the black box.

        Raises SettingError where the decision's or the black box's name is also a column's, and for a name or label
        that no policy can write.
        """
        check_is_fitted(self)
        header = PolicyHeader(
            name=name,
            title=title,
            decision=decision if decision is not None else name,
            black_box=black_box_name if black_box_column is None else black_box_column,
            black_box_uri=black_box_uri,
            learner=type(self).__name__,
            date=data_date if data_date is not None else self.trained_on_,
            rows=self.training_rows_,
            black_box_inputs=None if black_box_inputs is None else tuple(black_box_inputs),
            black_box_is_column=black_box_column is not None,
        )
        return policy_text(header, self.features_, tuple(self.classes_), self.rule_list_, self.training_trade_off_)

    def _learn_rules(
        self,
        candidates: Candidates,
        labels: Labels,
        weights: Floats,
        black_box: Labels | None,
        rng: np.random.Generator,
    ) -> Sequence[RuleChoice]:
        """The rules in order, chosen for labels and black-box answers `(n,)` of 0 and 1, weighted rows `(n,)`.

        `black_box` is None for a learner whose black box comes second.
        """
        raise NotImplementedError

    def _black_box_comes_first(self) -> bool:
        return True

    def _emphasis(self, training: Training, covered: NDArray[np.bool_]) -> Floats | None:  # noqa: ARG002
        """How much more each row `(n,)` counts for a black box that comes after the rules, given what they cover."""
        return None

    def _mining_settings(self) -> MiningSettings:
        return MiningSettings(
            max_conditions=self.max_conditions,
            min_support=self.min_support,
            negations=self.negations,
            n_bins=self.n_bins,
            thresholds=self.thresholds,
            max_candidates=self.max_candidates,
        )

    def _generator(self) -> np.random.Generator:
        if isinstance(self.random_state, np.random.RandomState):
            return np.random.default_rng(self.random_state.randint(2**31))
        try:
            return np.random.default_rng(self.random_state)
        except (TypeError, ValueError) as error:
            raise SettingError(
                f"random_state is a whole number of at least 0, a generator of NumPy or None, not {self.random_state!r}"
            ) from error

    def _read_training(self, X: Any, y: Any, sample_weight: Any) -> Training:
        table, labels = self._validated_training(X, y)
        weights = positive_weights(sample_weight, table)
        kept = weights > 0
        frame = as_frame(table)
        self.classes_, outcomes = two_classes(labels, kept)
        self.features_ = describe_features(frame[kept])
        return Training(
            table=rows_of(table, kept),
            columns=read_columns(frame[kept], self.features_),
            labels=outcomes[kept],
            weights=weights[kept],
            given_weights=None if sample_weight is None else weights[kept],
            black_box=self._given_predictions(frame, kept),
        )

    def _validated_training(self, X: Any, y: Any) -> tuple[Any, NDArray[Any]]:
        if isinstance(X, pd.DataFrame):
            as_frame(X)  # refuses columns that share a name
            validate_data(self, X, skip_check_array=True)
            labels = column_or_1d(y, warn=True)
            if len(labels) != len(X):
                raise LearningDataError(f"X has {len(X)} rows and y has {len(labels)} labels: give one for each row")
            if len(X) < 2:
                raise LearningDataError(f"learning needs at least 2 rows, found {len(X)}")
            return X, labels
        table, labels = validate_data(self, X, y, dtype="numeric", ensure_all_finite="allow-nan", ensure_min_samples=2)
        return table, labels

    def _read(self, X: Any) -> tuple[Any, Columns]:
        """The table `(n, d)` as the black box takes it, and its typed columns."""
        check_is_fitted(self)
        if isinstance(X, pd.DataFrame):
            validate_data(self, X, skip_check_array=True, reset=False)
            table = X
        else:
            table = validate_data(self, X, reset=False, dtype="numeric", ensure_all_finite="allow-nan")
        frame = as_frame(table).set_axis([feature.name for feature in self.features_], axis=1)
        return table, read_columns(frame, self.features_)

    def _given_predictions(self, frame: pd.DataFrame, kept: NDArray[np.bool_]) -> Labels | None:
        if self.black_box is None or is_estimator(self.black_box):
            return None
        self._training_digest = digest(frame)
        self._given_answers = encoded(np.asarray(self.black_box), self.classes_, len(frame))
        return self._given_answers[kept]

    def _fit_black_box(self, training: Training, emphasis: Floats | None, seed: int) -> Labels:
        """Make the black box ready and give its answers for the training rows."""
        if training.black_box is not None:
            self.black_box_ = None
            return training.black_box
        if self.black_box is not None and is_fitted(self.black_box):
            self.black_box_ = self.black_box
        else:
            unfitted = TableForest(random_state=seed) if self.black_box is None else self.black_box
            self.black_box_ = fit_black_box(unfitted, *black_box_rows(training, self.classes_, emphasis))
        return predicted_labels(self.black_box_, training.table, self.classes_)

    def _keep(self, choices: Sequence[RuleChoice], training: Training, black_box: Labels) -> None:
        """Remember the rules that take a training row, with what training measured of each."""
        masks = [choice.condition.covers(training.columns) for choice in choices]
        deciding = first_rule(masks, training.rows)
        used = [place for place in range(len(choices)) if (deciding == place).any()]
        self.rule_list_ = tuple(
            self._measured(f"r{number}", choices[place], deciding == place, training, black_box)
            for number, place in enumerate(used, start=1)
        )
        self.trained_on_ = datetime.datetime.now(tz=datetime.UTC).date()
        self.training_rows_ = training.rows
        renumbered = first_rule([masks[place] for place in used], training.rows)
        self.training_trade_off_ = measure_trade_off(
            renumbered, self._rule_outcomes(), training.labels, black_box, training.weights
        )

    def _measured(
        self, name: str, choice: RuleChoice, taken: NDArray[np.bool_], training: Training, black_box: Labels
    ) -> CompanionRule:
        weights, labels = training.weights[taken], training.labels[taken]
        return CompanionRule(
            name=name,
            condition=choice.condition,
            label=self.classes_[choice.outcome],
            coverage=float(weights.sum() / training.weights.sum()),
            accuracy=float(weights[labels == choice.outcome].sum() / weights.sum()),
            black_box=float(weights[labels == black_box[taken]].sum() / weights.sum()),
        )

    def _rule_outcomes(self) -> Labels:
        return np.array([rule.label == self.classes_[1] for rule in self.rule_list_], dtype=np.int8)

    def _rule_probabilities(self, rule: CompanionRule) -> Floats:
        right = max(rule.accuracy, float(np.nextafter(0.5, 1)))
        return np.array([1 - right, right] if rule.label == self.classes_[1] else [right, 1 - right])

    def _deciding(
        self, table: Any, columns: Columns, transparency: float | None, stochastic_seed: int | None
    ) -> NDArray[np.intp]:
        """The place of the rule that decides each row `(n,)`, NO_RULE where the black box does."""
        wanted = 1.0 if transparency is None else transparency
        if not isinstance(wanted, Real) or not 0 <= wanted <= 1:
            raise SettingError(f"transparency is a share from 0 to 1, not {transparency!r}")
        count = rules_within(self.rule_list_, wanted)
        usable = self.rule_list_[: count + (stochastic_seed is not None)]
        deciding = first_rule([rule.condition.covers(columns) for rule in usable], len(table))
        if len(usable) > count and stochastic_seed is not None:
            reached = sum(rule.written_coverage for rule in self.rule_list_[:count])
            chance = (wanted - reached) / usable[count].written_coverage
            deciding[(deciding == count) & (row_draws(as_frame(table), stochastic_seed) >= chance)] = NO_RULE
        return deciding

    def _black_box_labels(self, table: Any, needed: NDArray[np.bool_], given: Any) -> Labels:
        """The black box's answers for the rows that are needed."""
        if not needed.any():
            return np.zeros(0, dtype=np.int8)
        if given is not None:
            return encoded(np.asarray(given), self.classes_, len(needed))[needed]
        if self.black_box_ is not None:
            return predicted_labels(self.black_box_, rows_of(table, needed), self.classes_)
        if digest(as_frame(table)) == self._training_digest:
            return self._given_answers[needed]
        raise LearningDataError(
            "the black box was given as predictions for the training rows, and these are other rows: "
            "give its predictions for them as black_box_predictions=…"
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        return tags
