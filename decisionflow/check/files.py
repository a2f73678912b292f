"""The files of a policy: what `use` brings in, and which paths may be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from decisionflow.check.messages import files as messages
from decisionflow.check.report import Report
from decisionflow.diagnostics import Diagnostic
from decisionflow.errors import PolicyError
from decisionflow.source import Span
from decisionflow.syntax import tree
from decisionflow.syntax.limits import LIMITS, Limits
from decisionflow.syntax.parse import decode, parse

Loader = Callable[[Path, str], tree.File]
"""From a path, and the name that messages give it, to its tree; raises PolicyError with its mistakes, or OSError."""


def read_tree(path: Path, name: str, limits: Limits = LIMITS) -> tree.File:
    """The tree of a policy file; raises PolicyError with every mistake in it, OSError where it cannot be read."""
    with path.open("rb") as stream:
        source = decode(name, stream.read(limits.file_bytes + 1), limits)
    found = (source,) if isinstance(source, Diagnostic) else parse(source, limits)
    if not isinstance(found, tree.File):
        raise PolicyError(found)
    return found


@dataclass
class Files:
    """The files of one policy, found by following `use`, and the rules on paths.

    `root` is the folder of the policy, None for a text that lies in none; `allowed` are folders that may be read too.
    `named` is the policy's folder as the reader named it, so that messages name every file in the same way.
    """

    root: Path | None = None
    allowed: tuple[Path, ...] = ()
    limits: Limits = LIMITS
    named: str = ""
    trees: list[tree.File] = field(default_factory=list)
    folders: dict[str, Path] = field(default_factory=dict)

    def locate(self, path: tree.Text, report: Report) -> Path | None:
        """Where a path that the policy names lies, beside the file that names it; None after a message."""
        folder = self.folders.get(path.span.source.name)
        if folder is None or self.root is None:
            report.add(messages.no_folder(path))
            return None
        if not path.value or "\0" in path.value:
            report.add(messages.no_path(path))
            return None
        found = (folder / path.value).resolve()
        if not any(found.is_relative_to(allowed.resolve()) for allowed in (self.root, *self.allowed)):
            report.add(messages.outside_folder(path, self.root))
            return None
        return found

    def shown(self, path: Path) -> str:
        """A path as messages name it, and editors find it."""
        inner = self.seen_from_root(path)
        return inner if Path(inner).is_absolute() else (Path(self.named) / inner).as_posix()

    def seen_from_root(self, path: Path) -> str:
        """A path as the program names it: seen from the policy's folder where it lies inside."""
        if self.root is not None and path.is_relative_to(self.root.resolve()):
            return path.relative_to(self.root.resolve()).as_posix()
        return str(path)


def gather(root: tree.File, files: Files, path: Path | None, load: Loader, report: Report) -> list[tree.Declaration]:
    """The declarations of a policy in order, each `use` replaced by those of the file that it brings in."""
    gatherer = _Gatherer(files, load, report)
    if files.root is not None:
        files.folders[root.source.name] = files.root
    return list(gatherer.declarations(root, path.resolve() if path is not None else None))


@dataclass
class _Gatherer:
    files: Files
    load: Loader
    report: Report
    open: dict[Path, Span | None] = field(default_factory=dict)
    done: set[Path] = field(default_factory=set)

    def declarations(self, file: tree.File, path: Path | None, used: Span | None = None) -> Iterator[tree.Declaration]:
        self.files.trees.append(file)
        if path is not None:
            self.open[path] = used
        for declaration in file.declarations:
            if isinstance(declaration, tree.Use):
                yield from self._use(declaration)
            elif used is None or not isinstance(declaration, tree.Policy):
                yield declaration
        if path is not None:
            del self.open[path]
            self.done.add(path)

    def _use(self, node: tree.Use) -> Iterator[tree.Declaration]:
        path = self.files.locate(node.path, self.report)
        if path is None or path in self.done:
            return
        if path in self.open:
            self.report.add(messages.use_cycle(node, self._route_from(path)))
            return
        if len(self.files.trees) >= self.files.limits.files:
            self.report.add(messages.too_many_files(node, self.files.limits.files))
            self.done.add(path)
            return
        file = self._loaded(node, path)
        if file is not None:
            self.files.folders[file.source.name] = path.parent
            yield from self.declarations(file, path, node.span)

    def _route_from(self, path: Path) -> list[Span]:
        """The `use`s that lead from a file back to the one that names it again."""
        route = list(self.open)
        spans = (self.open[item] for item in route[route.index(path) + 1 :])
        return [span for span in spans if span is not None]

    def _loaded(self, node: tree.Use, path: Path) -> tree.File | None:
        try:
            return self.load(path, self.files.shown(path))
        except PolicyError as fault:
            self.report.found += fault.diagnostics
        except OSError as fault:
            self.report.add(messages.cannot_be_read(node.path, fault.strerror or str(fault)))
        self.done.add(path)
        return None
