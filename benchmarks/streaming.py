"""A file larger than memory through `decisionflow evaluate`: `python benchmarks/streaming.py [ROWS]`.

Rows of the reference workload (`credit_offer.dflow`, 14 columns) are written to a Parquet file in a scratch folder, ten
million where no number is given. Reading the file alone with pyarrow, batch by batch, is measured beside deciding it,
each in a process of its own, round-robin: CPU seconds, wall seconds and the largest memory, medians of `--rounds`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROWS_OF_PART = 500_000
READ_ALONE = """
import sys
import pyarrow.parquet
assert sum(batch.num_rows for batch in pyarrow.parquet.ParquetFile(sys.argv[1]).iter_batches()) == int(sys.argv[2])
"""


@dataclass(frozen=True)
class Cost:
    """What one process took: seconds, and bytes of memory at its largest."""

    cpu: float
    wall: float
    memory: int


def make(path: Path, rows: int) -> None:
    """Write the rows, a part at a time, each part with a seed of its own."""
    import pyarrow
    import pyarrow.parquet
    from engine import LABELS, made_columns

    writer = None
    for part, first in enumerate(range(0, rows, ROWS_OF_PART)):
        columns = made_columns(min(ROWS_OF_PART, rows - first), seed=part)
        arrays = {name: pyarrow.array(values, from_pandas=True) for name, values in columns.items()}
        for name, labels in LABELS.items():
            codes = pyarrow.array(columns[name], mask=columns[name] < 0)
            arrays[name] = pyarrow.DictionaryArray.from_arrays(codes, labels).cast(pyarrow.string())
        arrays["existing"] = pyarrow.array(columns["existing"] == 1, mask=columns["existing"] < 0)
        table = pyarrow.table(arrays)
        writer = writer or pyarrow.parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def cost(command: list[str]) -> Cost:
    """What a command takes; this process stays small, for a child counts the memory of the one that started it."""
    begun = time.perf_counter()
    child = subprocess.Popen(command)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{command} failed with {child.returncode}")
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - begun, used.ru_maxrss * 1024)


def commands(file: Path, rows: int) -> dict[str, list[str]]:
    """What is measured, by what it is called."""
    evaluate = [sys.executable, "-m", "decisionflow", "evaluate", str(HERE / "credit_offer.dflow"), str(file), "-o"]
    return {
        "pyarrow reads the file": [sys.executable, "-c", READ_ALONE, str(file), str(rows)],
        "evaluate, only decisions": [*evaluate, str(file.with_name("decisions.parquet")), "--only-decisions"],
        "evaluate, with own columns": [*evaluate, str(file.with_name("decided.parquet"))],
    }


def report(found: dict[str, list[Cost]], rows: int) -> None:
    """A line for each command, in ratios to the first."""
    (first, alone), *_ = found.items()
    base_cpu, base_wall = (statistics.median(each) for each in zip(*((c.cpu, c.wall) for c in alone), strict=True))
    print(f"{rows:,} rows; CPU s, wall s, memory; times of `{first}` by CPU and by wall")
    for name, costs in found.items():
        cpu, wall = statistics.median(c.cpu for c in costs), statistics.median(c.wall for c in costs)
        memory = max(c.memory for c in costs)
        print(
            f"{name:28} {cpu:7.1f} {wall:7.1f} {memory / 2**20:7.0f} MiB"
            f" {cpu / base_cpu:6.2f} {wall / base_wall:6.2f} {rows / cpu / 1e6:6.2f} M rows a CPU second"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="?", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", help="where the file goes and stays (default: a folder that is removed)")
    parser.add_argument("--make", metavar="FILE", help="only write the file")
    options = parser.parse_args()
    if options.make:
        make(Path(options.make), options.rows)
        return
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(options.folder or scratch) / f"rows_{options.rows}.parquet"
        if not file.exists():
            subprocess.run([sys.executable, __file__, str(options.rows), "--make", str(file)], check=True)
        measured = commands(file, options.rows)
        found: dict[str, list[Cost]] = {name: [] for name in measured}
        for _ in range(options.rounds):
            for name, command in measured.items():
                found[name].append(cost(command))
        report(found, options.rows)


if __name__ == "__main__":
    main()
