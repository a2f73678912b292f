"""What is said about files, folders and limits (DF06xx)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from decisionflow.diagnostics import Diagnostic, Note
from decisionflow.source import Span
from decisionflow.syntax import tree


def cannot_be_read(path: tree.Text, reason: str) -> Diagnostic:
    """A file that a policy names and that is not there, or not readable."""
    return Diagnostic(
        "DF0601",
        path.span,
        f"`{path.value}` cannot be read: {reason[:1].lower()}{reason[1:]}",
        "paths are relative to the file that names them",
    )


def unreadable_file(name: str, fault: OSError) -> Diagnostic:
    """A policy file that is not there, or not readable."""
    reason = fault.strerror or str(fault)
    return Diagnostic(
        "DF0601", None, f"`{name}` cannot be read: {reason[:1].lower()}{reason[1:]}", "give the path of a policy file"
    )


def outside_folder(path: tree.Text, root: Path) -> Diagnostic:
    """A path that leaves the policy's folder."""
    return Diagnostic(
        "DF0602",
        path.span,
        f"`{path.value}` lies outside the policy's own folder",
        f"move the file into `{root.name or root}`, or allow its folder with `--allow-path DIR`",
    )


def use_cycle(node: tree.Use, route: Sequence[Span]) -> Diagnostic:
    """Files that use each other."""
    notes = tuple(Note(span, "which is used here") for span in route)
    return Diagnostic(
        "DF0603",
        node.span,
        f"`{node.path.value}` uses this file in turn" if route else "this file uses itself",
        "move what both need into a third file",
        notes,
    )


def too_many_files(node: tree.Use, most: int) -> Diagnostic:
    """More files than a policy may use."""
    return Diagnostic("DF0604", node.span, f"a policy may have at most {most} files", "join some of the files")


def too_many_rows(span: Span, most: int) -> Diagnostic:
    """A table larger than the limit."""
    return Diagnostic("DF0605", span, f"this table has more than {most:,} rows", "split it into several decisions")


def not_utf8(path: tree.Text) -> Diagnostic:
    """A table that is no text in UTF-8."""
    return Diagnostic(
        "DF0606", path.span, f"`{path.value}` is not a text in UTF-8", "save it as `CSV UTF-8`, or as an XLSX file"
    )


def too_large(path: tree.Text, most: int) -> Diagnostic:
    """A file larger than the limit."""
    return Diagnostic(
        "DF0607", path.span, f"`{path.value}` is larger than {most:,} bytes", "split it into several files"
    )


def no_folder(path: tree.Text) -> Diagnostic:
    """A path named by a text that lies in no folder."""
    return Diagnostic(
        "DF0608",
        path.span,
        f"`{path.value}` cannot be looked up: this policy was not read from a file",
        "save the policy to a file beside what it names",
    )


def no_path(path: tree.Text) -> Diagnostic:
    """An empty or impossible path."""
    return Diagnostic("DF0601", path.span, "this is not a path", "write the file's name, relative to this file")


def not_a_workbook(path: tree.Text) -> Diagnostic:
    """An XLSX file that is none, or damaged."""
    return Diagnostic(
        "DF0609", path.span, f"`{path.value}` is not a readable XLSX workbook", "save it again from the spreadsheet"
    )


def unknown_format(path: tree.Text) -> Diagnostic:
    """A table in a format that is not read."""
    return Diagnostic(
        "DF0610", path.span, f"`{path.value}` is neither a CSV nor an XLSX file", "save the table as `.csv` or `.xlsx`"
    )
