"""Lighthouse figures for a phone: the home page and a match, medians of three runs, bytes per file.

Lighthouse is an npm package. The version used here is the last that runs on Node 18 and 20; it is
installed into a temporary folder at the first run.
"""

import json
import os
import shutil
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.process import MissingPrerequisite, install_npm_packages, new_player, run_service
from benchmarks.timeline import SLUG
from frontend.build import build

VERSION = "12.8.2"
RUNS = 3
KINDS = ("performance", "accessibility", "best-practices", "seo")
AUDITS = (
    "first-contentful-paint",
    "largest-contentful-paint",
    "total-blocking-time",
    "cumulative-layout-shift",
    "interactive",
)


def find_chromium() -> str:
    """Return the path of the installed Chromium; raises `MissingPrerequisite` if there is none."""
    names = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        raise MissingPrerequisite("there is no Chromium on this machine")
    return found


def run_lighthouse(command: Path, address: str) -> Any:
    """Return Lighthouse's report on an address, for its default device, a mid-range phone."""
    flags = "--chrome-flags=--headless=new --no-sandbox --disable-gpu"
    given = [str(command), address, "--output=json", "--quiet", flags]
    env = {**os.environ, "CHROME_PATH": find_chromium()}
    done = subprocess.run(given, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MissingPrerequisite(f"it gave up: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)


def score(found: dict[str, Any], kind: str) -> int:
    value: float = found["categories"][kind]["score"]
    return round(100 * value)


def create_match(base: str) -> str:
    """Create a public match and return its address."""
    client, _ = new_player(base)
    with closing(client):
        body = {"game": SLUG, "seats": [{"kind": "me"}, {"kind": "me"}], "visibility": "public"}
        answer = client.post("/api/matches", json=body)
        assert answer.status_code == 201, answer.text
        return f"{base}/m/{answer.json()['id']}"


def print_median(name: str, found: list[dict[str, Any]]) -> None:
    """Print the run with the median performance score, and the bytes transferred in it."""
    middle = sorted(found, key=lambda each: score(each, "performance"))[len(found) // 2]
    scores = ", ".join(f"{kind} {score(middle, kind)}" for kind in KINDS)
    times = ", ".join(f"{each} {middle['audits'][each]['displayValue']}" for each in AUDITS)
    print(f"{name}: {scores}; {times}".replace("\xa0", " "))
    requests = middle["audits"]["network-requests"]["details"]["items"]
    print(f"  {sum(each['transferSize'] for each in requests) / 1000:.0f} kB in all")
    for each in sorted(requests, key=lambda one: -one["transferSize"])[:6]:
        print(f"  {each['transferSize'] / 1000:6.1f} kB {urlsplit(each['url']).path}")


def main() -> None:
    build()
    try:
        folder = install_npm_packages(f"lighthouse-{VERSION}", f"lighthouse@{VERSION}")
        command = folder / "node_modules" / ".bin" / "lighthouse"
        with tempfile.TemporaryDirectory() as data, run_service(data) as base:
            for name, address in (("home", f"{base}/"), ("match", create_match(base))):
                print_median(name, [run_lighthouse(command, address) for _ in range(RUNS)])
    except MissingPrerequisite as problem:
        print(f"not measured: {problem}")


if __name__ == "__main__":
    main()
