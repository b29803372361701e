"""Commands per second compared with boardgame.io's server, with the same number of sockets.

The game on its server places a piece on one of 217 cells and has no other rules; each match has one
WebSocket that plays both seats and sends a move when the previous one is confirmed. The server
keeps matches in memory or in its FlatFile store. Our side is one worker on SQLite, where each
command is durable before the response, and the hex game with all its rules. As in the app, a
response contains only the part of the view that can change: boardgame.io's state has no other. Each
load client is a separate process, in the language of its server. boardgame.io is installed into a
temporary folder at the first run.
"""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.http_commands import MATCHES, STEPS, measure
from benchmarks.places import empty_store
from benchmarks.process import PORT, MissingPrerequisite, install_npm_packages

VERSION = "0.50.2"
HERE = Path(__file__).parent / "boardgame"


def install_boardgame_io() -> Path:
    """Install boardgame.io if necessary; return the folder that contains it and our scripts."""
    wanted = [f"boardgame.io@{VERSION}", "node-persist@^3", "socket.io-client@^4"]
    folder = install_npm_packages(f"boardgame-{VERSION}", *wanted)
    for script in HERE.glob("*.js"):
        shutil.copy(script, folder)
    return folder


@contextmanager
def run_server(folder: Path, store: str) -> Iterator[None]:
    """Run boardgame.io's server during the block; ``store``: argument of ``server.js``."""
    command = ["node", "server.js", str(PORT), store]
    running = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        for line in running.stdout:
            if line.strip() == "ready":
                break
        else:
            raise MissingPrerequisite("its server did not start")
        yield
    finally:
        running.terminate()
        running.wait(20)


def measure_moves_per_second(folder: Path, store: str) -> float:
    """Return the moves per second that boardgame.io's server accepts."""
    command = ["node", "load.js", str(PORT), str(MATCHES), str(STEPS)]
    with run_server(folder, store):
        done = subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=600)
    found = json.loads(done.stdout)
    return float(found["commands"] / found["seconds"])


def main() -> None:
    try:
        folder = install_boardgame_io()
        memory = measure_moves_per_second(folder, "-")
        with tempfile.TemporaryDirectory() as files:
            flat = measure_moves_per_second(folder, files)
    except MissingPrerequisite as problem:
        print(f"not measured: {problem}")
        return
    with empty_store("SQLite") as settings:
        ours = measure(settings, query="?view=changing").commands
    print(f"{MATCHES} sockets, a second:")
    print(f"  commands here, durable          {ours:7,.0f}")
    print(f"  boardgame.io in memory          {memory:7,.0f}  (ratio {ours / memory:.2f})")
    print(f"  boardgame.io, its FlatFile store{flat:7,.0f}  (ratio {ours / flat:.2f})")


if __name__ == "__main__":
    main()
