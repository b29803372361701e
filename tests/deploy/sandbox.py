"""A sandbox with the folders, ports and users that the runbook's commands expect."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.deploy.test_deploy import _ignored
from tests.game_contract.ports import free_port
from tests.security.process import ROOT

RUNBOOK = ROOT / "deploy" / "RUNBOOK.md"
NOBODY = "nobody"
_DOWN = [
    *("setpriv", f"--reuid={NOBODY}", "--regid=nogroup", "--clear-groups"),
    *("--no-new-privs", "--bounding-set=-all"),
]
PORTS = ("8000", "8001", "8002", "8443")


def blocks() -> dict[str, str]:
    """Return the runbook's commands by the names of their blocks."""
    found = re.findall(r"^```sh (\S+)\n(.*?)^```$", RUNBOOK.read_text(), re.M | re.S)
    assert len(found) == len(dict(found)) == RUNBOOK.read_text().count("```") / 2
    return dict(found)


_NEEDED = "import sys, ensurepip, venv; assert sys.version_info >= (3, 11); print(sys.version)"


def _python_for_all() -> str | None:
    """Return a Python that another user can run, or None if processes cannot change users.

    The test interpreter may lie in a folder that only its owner can read.
    """
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return None
    for python in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        own = _printed([python, "-c", _NEEDED])
        if own and own == _printed([*_DOWN, python, "-c", _NEEDED]):
            return python
    return None


def _printed(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


class Box:
    """``folder`` stands for the root of a machine, ``source`` for a checkout in it.

    Unless the tests run as root, the user of the service is the one of the tests.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="machine-"))
        self.folder.chmod(0o755)
        self.source = self.folder / "source"
        python = _python_for_all()
        self.user = NOBODY if python else ""
        self.ports = {name: str(free_port()) for name in PORTS}
        self.settings: dict[str, str] = {}
        for name in ("bin", "opt/caravanserai", "etc/systemd/system", "var/lib", "var/backups"):
            (self.folder / name).mkdir(parents=True)
        data = self.folder / "var/lib/caravanserai"
        data.mkdir(mode=0o700)
        self.give(data)
        (self.folder / "compiled").mkdir()
        (self.folder / "compiled").chmod(0o777)
        self._tool("systemctl", f'exec {sys.executable} {ROOT}/tests/deploy/systemctl.py "$@"')
        self._tool("python3", f'exec {python or sys.executable} "$@"')
        # The blocks wait a second between two looks whether a worker is ready.
        self._tool("sleep", f"exec {shutil.which('sleep')} 0.1")
        if not self.user:
            self._tool("runuser", 'shift 3; exec "$@"')

    def give(self, folder: Path) -> None:
        """Make the service's user the owner of the folder."""
        if self.user:
            shutil.chown(folder, self.user)

    def _tool(self, name: str, script: str) -> None:
        tool = self.folder / "bin" / name
        tool.write_text(f"#!/bin/sh\n{script}\n")
        tool.chmod(0o755)

    def checkout(self) -> None:
        """Copy what the image is built from, including the built frontend."""
        shutil.copytree(ROOT, self.source, ignore=_ignored)
        built = self.source / "frontend" / "build"
        shutil.copytree(ROOT / "frontend" / "build", built)
        shutil.copytree(ROOT / "deploy", self.source / "deploy")
        (self.source / ".venv").symlink_to(sys.prefix)

    def here(self, text: str) -> str:
        """Replace the machine's paths, ports and users by those of the sandbox."""
        text = re.sub(r"(?<![\w.}])/(opt|etc|var)/", rf"{self.folder}/\1/", text)
        for known, port in self.ports.items():
            text = re.sub(rf"\b{known}\b", port, text)
        if self.user:
            text = text.replace("-u caravanserai", f"-u {self.user}")
            text = text.replace("-o caravanserai", f"-o {self.user}")
            text = text.replace("chgrp caravanserai", "chgrp nogroup")
        else:
            text = text.replace("-o caravanserai ", "").replace("chgrp caravanserai", "ls")
        # The test environment is complete and must not be changed by this checkout.
        text = text.replace("make frontend", "make -o .venv/.run frontend")
        for name, value in self.settings.items():
            text = text.replace(name, value)
        return text

    def run(self, *names: str) -> str:
        """Run blocks in one shell that stops at the first failure; return their output."""
        known = blocks()
        script = "\n".join(self.here(known[name]) for name in names)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=self.source,
            env={
                **os.environ,
                "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
                "BOX": str(self.folder),
                "BOX_USER": self.user,
                "BOX_PORTS": ",".join(f"{a}={b}" for a, b in self.ports.items()),
                "PYTHONPATH": "",
                "LC_ALL": "C.UTF-8",
                "PIP_DISABLE_PIP_VERSION_CHECK": "1",
                # Compile only what is imported (a tenth), and not in the installed folder.
                "PIP_NO_COMPILE": "1",
                "PYTHONPYCACHEPREFIX": str(self.folder / "compiled"),
            },
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
        )
        assert done.returncode == 0, f"{names}: {done.stdout[-2000:]}\n{done.stderr[-4000:]}"
        return done.stdout

    def close(self) -> None:
        """Stop all processes and delete everything."""
        for file in (self.folder / "run").glob("*.pid"):
            with suppress(ProcessLookupError):
                os.killpg(int(file.read_text()), signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)
