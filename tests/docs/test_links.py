"""Every relative link and every path in backticks of the documentation exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
]
LINK = re.compile(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")
CODE_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
FOLDERS = "|".join(sorted(path.name for path in ROOT.iterdir() if path.is_dir()))
REPOSITORY_PATH = re.compile(rf"(?:{FOLDERS})/[\w./*-]*")
"""A path from the root of the repository; GAME and NAME stand for any name, as ``*`` does."""
GENERATED = ("frontend/build",)


def missing_targets(page: Path) -> list[str]:
    """Return the links and paths of a page that do not exist."""
    text = page.read_text()
    targets = [first or second for first, second in LINK.findall(text)]
    links = [link for link in targets if "://" not in link and not link.startswith("#")]
    missing = [link for link in links if not (page.parent / link.partition("#")[0]).exists()]
    for name in CODE.findall(CODE_BLOCK.sub("", text)):
        if REPOSITORY_PATH.fullmatch(name) and not name.startswith(GENERATED):
            pattern = re.sub(r"GAME|NAME", "*", name).rstrip("/")
            if not any(ROOT.glob(pattern)):
                missing.append(name)
    return missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_target_exists(page: Path) -> None:
    assert missing_targets(page) == []


def test_a_missing_target_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "[a](no.md) [b](https://example.org) `domain/no.py` `domain/games/GAME/rules.py`\n"
    )
    assert missing_targets(page) == ["no.md", "domain/no.py"]
