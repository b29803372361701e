"""A replacement for systemctl: starts and stops real processes from their unit files.

It reads only what defines the process: settings, command and stop timeout. `systemd-analyze verify`
checks the rest.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from fnmatch import fnmatch
from pathlib import Path

BOX = Path(os.environ["BOX"])
USER = os.environ.get("BOX_USER", "")
PORTS = dict(pair.split("=") for pair in os.environ.get("BOX_PORTS", "").split(",") if pair)


def lines_of(unit: str) -> list[tuple[str, str]]:
    """Return the settings of a unit, with the folders and ports of the sandbox."""
    kind, at, instance = unit.partition("@")
    text = (BOX / "etc/systemd/system" / f"{kind}{at}.service").read_text()
    text = re.sub(r"(?<=[=\s-])/(opt|etc|var)/", rf"{BOX}/\1/", text).replace("%i", instance)
    for known, port in PORTS.items():
        text = re.sub(rf"\b{known}\b", port, text)
    return [line.split("=", 1) for line in text.splitlines() if re.match(r"\w+=", line)]  # type: ignore[misc]


def environment(unit: str) -> dict[str, str]:
    """Return the environment; later files override the unit, as in systemd."""
    found: list[str] = []
    for key, value in lines_of(unit):
        if key == "Environment":
            found += shlex.split(value)
        if key == "EnvironmentFile":
            file = Path(value.removeprefix("-"))
            if file.exists() or not value.startswith("-"):
                found += shlex.split(file.read_text(), comments=True)
    compiled = {"PYTHONPYCACHEPREFIX": str(BOX / "compiled")}
    return {"PATH": "/usr/bin:/bin", **compiled, **dict(pair.split("=", 1) for pair in found)}


def start(unit: str) -> None:
    if is_up(unit):
        return
    command = shlex.split(dict(lines_of(unit))["ExecStart"])
    if USER:
        down = ["setpriv", f"--reuid={USER}", "--regid=nogroup", "--clear-groups"]
        command = [*down, "--no-new-privs", "--bounding-set=-all", *command]
    (BOX / "run").mkdir(exist_ok=True)
    log = (BOX / "run" / f"{unit}.log").open("ab")
    running = subprocess.Popen(
        command,
        env=environment(unit),
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
    pid_file(unit).write_text(str(running.pid))


def stop(unit: str) -> None:
    if not is_up(unit):
        return
    patience = int(dict(lines_of(unit))["TimeoutStopSec"])
    os.kill(int(pid_file(unit).read_text()), signal.SIGTERM)
    deadline = time.monotonic() + patience
    while is_up(unit):
        if time.monotonic() > deadline:
            sys.exit(f"{unit} did not stop in time")
        time.sleep(0.05)


def pid_file(unit: str) -> Path:
    return BOX / "run" / f"{unit}.pid"


def is_up(unit: str) -> bool:
    try:
        stat = Path(f"/proc/{int(pid_file(unit).read_text())}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def matching(pattern: str) -> list[str]:
    """Return the running units that match a pattern."""
    names = sorted(file.stem for file in (BOX / "run").glob("*.pid"))
    return [unit for unit in names if fnmatch(unit, pattern) and is_up(unit)]


def main(verb: str, *given: str) -> None:
    named = [word for word in given if not word.startswith("--")]
    units = [unit for word in named for unit in (matching(word) if "*" in word else [word])]
    for unit in units:
        if verb in ("stop", "restart"):
            stop(unit)
        if verb in ("start", "restart") or (verb == "enable" and "--now" in given):
            start(unit)
        if verb == "list-units":
            print(f"{unit}.service loaded active running Caravanserai")
        if verb == "status":
            print(unit, "active" if is_up(unit) else "inactive")


if __name__ == "__main__":
    main(*sys.argv[1:])
