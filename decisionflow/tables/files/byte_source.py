"""Where the bytes of a file come from: a path, or standard input."""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from decisionflow.errors import DataError

STANDARD_INPUT = "-"
_LOOK_AHEAD = 65_536


@dataclass
class ByteSource:
    """A file, or standard input for `-`, which is read once unless it is kept in a temporary file."""

    path: str
    standard_input: IO[bytes] | None = None
    _kept: list[IO[bytes]] = field(default_factory=list, repr=False)
    _streams: list[IO[bytes]] = field(default_factory=list, repr=False)

    @property
    def name(self) -> str:
        """The name for messages."""
        return "standard input" if self.is_standard_input else self.path

    @property
    def is_standard_input(self) -> bool:
        """Whether the bytes can be read only once."""
        return self.path == STANDARD_INPUT

    @cached_property
    def beginning(self) -> bytes:
        """Up to 64 KiB from the beginning, which stay to be read."""
        if self.is_standard_input:
            return self._input.peek(_LOOK_AHEAD)[:_LOOK_AHEAD]
        with self.stream() as stream:
            return stream.read(_LOOK_AHEAD)

    def stream(self) -> IO[bytes]:
        """The bytes from the beginning; of standard input that is not kept, what has not been read yet."""
        if not self.is_standard_input:
            self._streams = [_open(self.path)]
            return self._streams[0]
        if self._kept:
            self._kept[0].seek(0)
            return self._kept[0]
        return self._input

    @property
    def share(self) -> float | None:
        """How much of the file has been read in its latest stream, above 0 up to 1; None where nobody can tell."""
        stream = next(iter(self._streams), None)
        if stream is None or stream.closed or not stream.seekable():
            return None
        size, read = os.fstat(stream.fileno()).st_size, stream.tell()
        return min(read / size, 1.0) if size and read else None

    def seekable(self) -> IO[bytes]:
        """A stream that can be read at any place and more than once."""
        self.keep()
        return self.stream()

    def native(self) -> Any:
        """The same as `seekable`, as Arrow reads it fastest."""
        stream = self.seekable()
        if self.is_standard_input:
            return stream
        stream.close()
        return pa.OSFile(self.path, "rb")

    def keep(self) -> None:
        """Store standard input in a temporary file, so that it can be read again."""
        if self.is_standard_input and not self._kept:
            kept = tempfile.TemporaryFile()  # noqa: SIM115 -- lives as long as the source
            shutil.copyfileobj(self._input, kept)
            self._kept.append(kept)

    @cached_property
    def _input(self) -> io.BufferedReader:
        stream = self.standard_input or sys.stdin.buffer
        return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream, _LOOK_AHEAD)  # type: ignore[arg-type]


def _open(path: str) -> IO[bytes]:
    try:
        return Path(path).open("rb")
    except FileNotFoundError:
        raise DataError(f"there is no file {path}") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a directory, not a data file") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from None
