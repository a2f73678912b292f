"""Files: folders that are not left, bytes that are checked first, types that are trusted by name."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
import skops.io
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from decisionflow.errors import ModelError, UntrustedModelError
from decisionflow.models.binding import bind
from decisionflow.models.loading import load_model
from decisionflow.types import ModelOutput

TABLE = pd.DataFrame({"income": [10, 20, 30, 60, 70, 80], "debt": [60, 50, 55, 10, 20, 5]})
TARGET = ["bad", "bad", "bad", "good", "good", "good"]
BAD = ModelOutput("probability", "bad")
FITTED = make_pipeline(StandardScaler(), LogisticRegression()).fit(TABLE, TARGET)


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Path.touch, (Path("opened"),)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    models = tmp_path / "policy" / "models"
    models.mkdir(parents=True)
    skops.io.dump(FITTED, models / "risk.skops")
    joblib.dump(FITTED, models / "risk.joblib")
    return models.parent


def manifest_of(folder: Path, **changes: object) -> None:
    path = folder / "models" / "risk.joblib"
    content = {
        "model": "risk",
        "file": "risk.joblib",
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "python": "3",
        "libraries": {"scikit-learn": sklearn.__version__},
        "features": ["income", "debt"],
        "output": "probability",
        "class": "bad",
    }
    (folder / "models" / "manifest.json").write_text(json.dumps({**content, **changes}))


def golden(folder: Path, *expected: float) -> None:
    rows = pd.DataFrame({"income": [10, 60], "debt": [60, 10], "expected_score": expected})
    rows.to_csv(folder / "models" / "golden.csv", index=False)


def test_a_skops_file_scores_as_the_estimator_did(folder: Path) -> None:
    model = load_model("risk", "models/risk.skops", folder)
    np.testing.assert_array_equal(model.column(TABLE, BAD), FITTED.predict_proba(TABLE)[:, 0])
    assert model.inputs == ("income", "debt")
    assert bind("risk", "models/risk.skops", folder).classes == ("bad", "good")


@pytest.mark.parametrize("kind", [HistGradientBoostingClassifier, RandomForestClassifier])
def test_ordinary_estimators_need_no_further_trust(folder: Path, kind: type) -> None:
    skops.io.dump(kind(random_state=0).fit(TABLE, TARGET), folder / "trees.skops")
    assert load_model("risk", "trees.skops", folder).classes == ("bad", "good")


class Homemade(LogisticRegression):
    pass


def test_other_types_are_refused_by_name(folder: Path) -> None:
    skops.io.dump(Homemade().fit(TABLE, TARGET), folder / "own.skops")
    name = f"{Homemade.__module__}.Homemade"
    with pytest.raises(UntrustedModelError, match=name):
        load_model("risk", "own.skops", folder)
    assert load_model("risk", "own.skops", folder, trusted=[name]).classes == ("bad", "good")


@pytest.mark.parametrize("kept", [0, 1, 100, 1000, -1, -30])
def test_a_damaged_file_is_an_error_for_people(folder: Path, kept: int) -> None:
    path = folder / "models" / "risk.skops"
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ModelError, match=r"model risk: .*risk.skops cannot be read as skops: .*truncated"):
        load_model("risk", "models/risk.skops", folder)


@pytest.mark.parametrize(
    "uri", ["../risk.skops", "/etc/passwd.skops", "models/../../risk.skops", "link.skops", "way/risk.skops"]
)
def test_no_path_leaves_the_folder(folder: Path, uri: str) -> None:
    outside = folder.parent / "risk.skops"
    outside.write_bytes((folder / "models" / "risk.skops").read_bytes())
    (folder / "link.skops").symlink_to(outside)
    (folder / "way").symlink_to(folder.parent)
    with pytest.raises(ModelError, match="leads outside"):
        load_model("risk", uri, folder)
    if not uri.startswith("/"):
        assert load_model("risk", uri, folder, allowed=[folder.parent]).classes == ("bad", "good")


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("models/none.skops", "there is no file"),
        ("models/risk.scops", r"no format is known for risk.scops; known are \.skops"),
        ("models", "no format is known"),
    ],
)
def test_what_cannot_be_found_is_said(folder: Path, uri: str, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        load_model("risk", uri, folder)


def test_a_folder_or_a_pipe_is_no_model_file(folder: Path) -> None:
    (folder / "folder.skops").mkdir()
    os.mkfifo(folder / "pipe.skops")
    for name in ("folder.skops", "pipe.skops"):
        with pytest.raises(ModelError, match=f"{name} is not a file"):
            load_model("risk", name, folder)


def test_a_file_that_may_not_be_read_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(ModelError, match="cannot be read: Permission denied"):
        load_model("risk", "models/risk.skops", folder)


def test_a_pickle_is_opened_only_by_name_and_with_a_manifest(folder: Path) -> None:
    with pytest.raises(UntrustedModelError, match=r"runs code.*joblib:models/risk.joblib.*skops, ONNX"):
        load_model("risk", "models/risk.joblib", folder)
    with pytest.raises(UntrustedModelError, match="only with a manifest beside it"):
        load_model("risk", "joblib:models/risk.joblib", folder)
    manifest_of(folder)
    assert load_model("risk", "joblib:models/risk.joblib", folder).classes == ("bad", "good")


def test_another_hash_is_shown_beside_the_expected_one_and_nothing_is_opened(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (folder / "models" / "risk.joblib").write_bytes(pickle.dumps(Evil()))
    found = hashlib.sha256((folder / "models" / "risk.joblib").read_bytes()).hexdigest()
    manifest_of(folder, sha256="0" * 64)
    with pytest.raises(ModelError, match=f"not opened; sha256 expected {'0' * 64}, found {found}"):
        load_model("risk", "joblib:models/risk.joblib", folder)
    assert not (folder / "opened").exists()


def test_other_versions_are_refused_or_noted(folder: Path) -> None:
    manifest_of(folder, libraries={"scikit-learn": "1.2.2"})
    said = f"saved with scikit-learn 1.2.2, run with scikit-learn {sklearn.__version__}"
    with pytest.raises(ModelError, match=said):
        load_model("risk", "joblib:models/risk.joblib", folder)
    model = load_model("risk", "joblib:models/risk.joblib", folder, accept_other_versions=True)
    assert model.notes == (said,)


def test_golden_rows_are_scored_at_load(folder: Path) -> None:
    right = FITTED.predict_proba(pd.DataFrame({"income": [10, 60], "debt": [60, 10]}))[:, 0]
    manifest_of(folder)
    golden(folder, *right)
    load_model("risk", "joblib:models/risk.joblib", folder)
    golden(folder, right[0], right[1] + 2e-9)
    with pytest.raises(ModelError, match=r"golden row 1 of .* should give"):
        load_model("risk", "joblib:models/risk.joblib", folder)


def test_a_model_that_breaks_at_its_first_row_is_caught_at_load(folder: Path) -> None:
    broken = LogisticRegression().fit(TABLE, TARGET)
    del broken.intercept_
    joblib.dump(broken, folder / "models" / "risk.joblib")
    manifest_of(folder)
    golden(folder, 0.9, 0.1)
    with pytest.raises(ModelError, match=r"golden rows .* cannot be scored"):
        load_model("risk", "joblib:models/risk.joblib", folder)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"features": ["debt", "income"]}, "its manifest lists the inputs `debt`, `income`"),
        ({"classes": ["good", "bad"]}, "its classes are not the model's"),
        ({"sha256": None}, "sha256"),
    ],
)
def test_a_manifest_that_contradicts_its_file_is_refused(folder: Path, changes: dict[str, object], said: str) -> None:
    manifest_of(folder, **changes)
    with pytest.raises(ModelError, match=said):
        load_model("risk", "joblib:models/risk.joblib", folder)


def test_a_manifest_binds_a_safe_file_too(folder: Path) -> None:
    path = folder / "models" / "risk.skops.manifest.json"
    path.write_text(json.dumps({"file": "risk.skops", "sha256": "1" * 64}))
    with pytest.raises(ModelError, match="sha256 expected 1111"):
        load_model("risk", "models/risk.skops", folder)
