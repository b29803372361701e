"""Runs every benchmark, one after the other: ``python -m benchmarks [NAME ...]``."""

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.machine import machine

HERE = Path(__file__).parent
NAMES = sorted(
    ".".join(path.relative_to(HERE).with_suffix("").parts)
    for path in (*HERE.glob("*.py"), *HERE.glob("games/*.py"))
    if path.stem not in ("__init__", "__main__", "machine", "process")
)


def main(names: list[str]) -> None:
    print(machine(), flush=True)
    for name in names or NAMES:
        print(f"\n== {name}", flush=True)
        import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
