"""Two test runs at the same time do not use each other's ports."""

import subprocess
import sys
from pathlib import Path

from tests.game_contract.ports import free_port

ROOT = Path(__file__).parents[2]


def test_another_run_has_other_ports() -> None:
    mine = free_port()
    told = "from tests.game_contract.ports import free_port; print(free_port())"
    command = [sys.executable, "-c", told]
    others = {
        int(subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout)
        for _ in range(2)
    }
    assert {port // 500 for port in others}.isdisjoint({mine // 500})
