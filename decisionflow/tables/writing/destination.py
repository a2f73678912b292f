"""Where output goes: a file that is complete or as it was before, or standard output."""

from __future__ import annotations

import errno
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal

from decisionflow.errors import DataError, UnwritableError

STANDARD_OUTPUT = "-"
LONGEST_NAME = 50
"""Characters of a file's name in that of the part beside it, which a file system might else find too long."""


@contextmanager
def destination(path: str, standard_output: IO[bytes] | None = None) -> Iterator[IO[bytes]]:
    """A binary stream to write to; `-` is standard output.

    A file is written beside and renamed when the block ends well, so that a crash, Ctrl-C or full disk leaves the old
    file or a complete one. A device or pipe is written directly. Raises UnwritableError where there is no such place,
    DataError where writing fails.
    """
    if path == STANDARD_OUTPUT:
        with _clear_errors("standard output"):
            stream = standard_output or sys.stdout.buffer
            yield stream
            stream.flush()
        return
    target = _target(path)
    if target.exists() and not target.is_file():
        with _clear_errors(path), _opened(target, "wb", path) as stream:
            yield stream
            stream.flush()
        return
    with _clear_errors(path, "; an older file is as it was"), _written_beside(target, path) as stream:
        yield stream


@contextmanager
def _written_beside(target: Path, name: str) -> Iterator[IO[bytes]]:
    part = target.with_name(f".{target.name[:LONGEST_NAME]}.{secrets.token_hex(4)}.part")
    stream = _opened(part, "xb", name)
    try:
        with stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            part.chmod(target.stat().st_mode & 0o777)
        _rename(part, target, name)
    finally:
        part.unlink(missing_ok=True)


def _target(path: str) -> Path:
    """The file that a path means, links followed."""
    try:
        target = Path(path).resolve()
        if target.is_dir():
            raise UnwritableError(f"{path} cannot be written: it is a directory")
    except RuntimeError:
        raise UnwritableError(f"{path} cannot be written: its links lead nowhere") from None
    except OSError as error:
        raise UnwritableError(f"{path} cannot be written: {error.strerror or error}") from None
    return target


def _opened(target: Path, mode: Literal["wb", "xb"], name: str) -> IO[bytes]:
    try:
        return target.open(mode)
    except (FileNotFoundError, NotADirectoryError):
        raise UnwritableError(f"{name} cannot be written: its folder does not exist") from None
    except OSError as error:
        if error.errno in _WRITING_FAILS:
            raise
        raise UnwritableError(f"{name} cannot be written: {error.strerror or error}") from None


def _rename(part: Path, target: Path, name: str) -> None:
    try:
        part.replace(target)
    except OSError as error:
        raise UnwritableError(f"{name} cannot be replaced: {error.strerror or error}") from None


@contextmanager
def _clear_errors(name: str, remark: str = "") -> Iterator[None]:
    """What can go wrong while writing, in words; other errors are not about the output and pass."""
    try:
        yield
    except BrokenPipeError:
        raise DataError(f"{name} was closed by its reader before everything was written") from None
    except OSError as error:
        if error.errno not in _WRITING_FAILS:
            raise
        why = "no space is left" if error.errno == errno.ENOSPC else error.strerror
        raise DataError(f"{name} cannot be written: {why}{remark}") from None


_WRITING_FAILS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
