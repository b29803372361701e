"""Runner of the benchmarks, in sequence: ``python -m benchmarks [NAME ...] [NUMBER ...]``.

Without names it runs all of them. Numbers are passed on to the benchmarks as their arguments.
"""

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.machine import describe_machine

HERE = Path(__file__).parent
_HELPERS = ("__init__", "__main__", "machine", "places", "process")
NAMES = sorted(
    ".".join(path.relative_to(HERE).with_suffix("").parts)
    for path in (*HERE.glob("*.py"), *HERE.glob("games/*.py"))
    if path.stem not in _HELPERS
)


def main(given: list[str]) -> None:
    names = [each for each in given if not each.isdecimal()]
    sys.argv[1:] = [each for each in given if each.isdecimal()]
    print(describe_machine(), flush=True)
    for name in names or NAMES:
        print(f"\n== {name}", flush=True)
        import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
