"""The bot of docs/API.md plays a whole match against a running service."""

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.security.process import process

PAGE = Path(__file__).parents[2] / "docs" / "API.md"


def bot_source() -> str:
    """Return the only Python block of the page."""
    (source,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return source


def test_bot_plays_a_match_to_its_end(tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(bot_source())
    with process(tmp_path / "data") as address:
        result = subprocess.run(
            [sys.executable, str(program), address], capture_output=True, text=True, timeout=120
        )
    assert result.returncode == 0, result.stderr
    assert {standing["seat"] for standing in json.loads(result.stdout)} == {0, 1}
