"""How large a policy may be: it is untrusted, and each limit has its own message."""

from __future__ import annotations

from decisionflow.frozen import frozen


@frozen
class Limits:
    """The largest sizes that are read; callers may set them anew."""

    file_bytes: int = 8 * 1024 * 1024
    nested_levels: int = 200
    expression_characters: int = 100_000
    literal_characters: int = 1_000
    table_rows: int = 100_000
    files: int = 200
    syntax_errors: int = 50


LIMITS = Limits()
