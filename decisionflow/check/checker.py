"""From the tree of a policy to its program, or to everything that is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from decisionflow.check.cycles import cycles
from decisionflow.check.decisions import checked_decision
from decisionflow.check.declared import declare, declare_types, standing
from decisionflow.check.derived import checked_derived
from decisionflow.check.divisors import check_divisors
from decisionflow.check.examples import checked_examples
from decisionflow.check.features import checked_feature
from decisionflow.check.files import Files, Loader, gather, read_tree
from decisionflow.check.messages import declarations as messages
from decisionflow.check.messages import names as name_messages
from decisionflow.check.models import checked_model
from decisionflow.check.parameters import check_set_parameters, checked_parameter
from decisionflow.check.reason_tables import checked_reasons
from decisionflow.check.report import Report, has_errors
from decisionflow.check.scope import Context, Declared, Kept
from decisionflow.diagnostics import Diagnostic
from decisionflow.frozen import frozen
from decisionflow.program.declarations import Decision, ModelDeclaration
from decisionflow.program.program import Program
from decisionflow.syntax import tree
from decisionflow.syntax.limits import LIMITS, Limits

Node = TypeVar("Node")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


@frozen
class Checked:
    """The program, None where the policy has an error; warnings may stand beside a program."""

    program: Program | None
    diagnostics: tuple[Diagnostic, ...] = ()


def check_files(
    root: tree.File,
    path: Path | None = None,
    load: Loader | None = None,
    allowed: Sequence[Path] = (),
    parameters: Mapping[str, Any] | None = None,
    limits: Limits = LIMITS,
) -> Checked:
    """Check a policy with all the files that it uses.

    `path` is where the root file lies, None for a text that lies nowhere: it can name no other file. `load` reads the
    files that `use` names, from the disk unless it is given. They, and every other file that the policy names, lie in
    the policy's own folder or in one that is `allowed`. `parameters` sets parameters anew. All independent errors are
    found in one run, sorted by place.
    """
    report = Report()
    folder = None if path is None else path.parent.resolve()
    files = Files(folder, tuple(allowed), limits, str(Path(root.source.name).parent))
    declarations = gather(root, files, path, load or partial(read_tree, limits=limits), report)
    context = Context(declare(declarations, report), report)
    declare_types(context)
    found = _Checker(declarations, context, files).program(root, parameters or {})
    program = None if has_errors(report.found) else found
    return Checked(program, report.sorted(tree.source.name for tree in files.trees))


@dataclass(frozen=True)
class _Checker:
    """The declarations of a policy, checked kind by kind: first what others read."""

    declarations: Sequence[tree.Declaration]
    context: Context
    files: Files

    def program(self, root: tree.File, anew: Mapping[str, Any]) -> Program:
        self._parameters(anew)
        features = self._each(tree.Feature, lambda declared, _: checked_feature(declared.node, self.context))
        derived = checked_derived(self.context)
        models = self._each(tree.Model, self._model)
        decisions = self._each(tree.Decision, self._decision)
        self._check_cycles()
        head, background = self._head(root), self._background()
        reasons = [node for node in self.declarations if isinstance(node, tree.ReasonTable)]
        examples = [node for node in self.declarations if isinstance(node, tree.Example)]
        program = Program(
            name=head.name.name if head is not None else "",
            features=features,
            parameters=dict(self.context.scope.parameters),
            derived=derived,
            models=models,
            decisions=decisions,
            title=head.title if head is not None else "",
            background=background,
            cases=checked_examples(examples, decisions, self.context),
            reasons=checked_reasons(reasons, self.context),
        )
        check_divisors(program, self.context.report)
        return program

    def _parameters(self, anew: Mapping[str, Any]) -> None:
        check_set_parameters(anew, self.context)
        for declared in standing(self.context.scope, tree.Parameter):
            parameter = checked_parameter(declared.node, self.context, anew)
            if parameter is not None:
                self.context.scope.parameters[declared.name] = parameter

    def _each(self, kind: type[Kept], check: Callable[[Declared[Kept], Context], Node | None]) -> dict[str, Node]:
        found = {}
        for declared in standing(self.context.scope, kind):
            node = check(declared, Context(self.context.scope, self.context.report, declared.name))
            if node is not None:
                found[declared.name] = node
        return found

    def _decision(self, declared: Declared[tree.Decision], context: Context) -> Decision | None:
        return checked_decision(declared.node, context, self.files)

    def _model(self, declared: Declared[tree.Model], context: Context) -> ModelDeclaration | None:
        node = declared.node
        path = self._model_path(node.uri) if node.uri is not None else None
        return checked_model(node, path, context)

    def _model_path(self, uri: tree.Text) -> str:
        """A file as seen from the policy's folder; an address with a scheme as it is."""
        if _SCHEME.match(uri.value) or self.files.root is None:
            return uri.value
        path = self.files.locate(uri, self.context.report)
        return uri.value if path is None else self.files.seen_from_root(path)

    def _check_cycles(self) -> None:
        scope = self.context.scope
        for path in cycles(scope.references, list(scope.declared)):
            self.context.report.add(name_messages.cycle(path, scope))

    def _head(self, root: tree.File) -> tree.Policy | None:
        """The `policy` of the root file, None after a message that it lacks one."""
        heads = [node for node in root.declarations if isinstance(node, tree.Policy)]
        if not heads:
            self.context.report.add(messages.no_policy(root.source))
        return heads[0] if heads else None

    def _background(self) -> str | None:
        found = [node for node in self.declarations if isinstance(node, tree.Background)]
        for node in found[1:]:
            self.context.report.add(messages.background_twice(node, found[0]))
        if not found:
            return None
        if self.files.root is None:
            return found[0].path.value
        path = self.files.locate(found[0].path, self.context.report)
        return None if path is None else self.files.seen_from_root(path)
