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

from decisionflow.errors import DataError

STANDARD_OUTPUT = "-"


@contextmanager
def destination(path: str, standard_output: IO[bytes] | None = None) -> Iterator[IO[bytes]]:
    """A binary stream to write to; `-` is standard output.

    A file is written beside and renamed when the block ends well, so that a crash, Ctrl-C or full disk leaves the old
    file or a complete one. A device or pipe is written directly. Raises DataError where writing fails.
    """
    name = "standard output" if path == STANDARD_OUTPUT else path
    with _clear_errors(name), _stream(path, standard_output) as stream:
        yield stream
        stream.flush()


@contextmanager
def _stream(path: str, standard_output: IO[bytes] | None) -> Iterator[IO[bytes]]:
    if path == STANDARD_OUTPUT:
        yield standard_output or sys.stdout.buffer
        return
    target = Path(path).resolve()
    if target.is_dir():
        raise DataError(f"{path} cannot be written: it is a directory")
    if target.exists() and not target.is_file():
        with _opened(target, "wb", path) as stream:
            yield stream
        return
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with _opened(part, "xb", path) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            part.chmod(target.stat().st_mode & 0o777)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _opened(target: Path, mode: Literal["wb", "xb"], name: str) -> IO[bytes]:
    try:
        return target.open(mode)
    except FileNotFoundError:
        raise DataError(f"{name} cannot be written: its folder does not exist") from None
    except OSError as error:
        raise DataError(f"{name} cannot be written: {error.strerror or error}") from None


@contextmanager
def _clear_errors(name: str) -> Iterator[None]:
    """What can go wrong while writing, in words; other errors are not about the output and pass."""
    try:
        yield
    except BrokenPipeError:
        raise DataError(f"{name} was closed by its reader before everything was written") from None
    except OSError as error:
        if error.errno not in _WRITING_FAILS:
            raise
        why = "no space is left" if error.errno == errno.ENOSPC else error.strerror
        raise DataError(f"{name} cannot be written: {why}; an older file is as it was") from None


_WRITING_FAILS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
