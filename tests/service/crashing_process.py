"""A simulated month in a process that may be killed at any moment, and the test driver that kills
it.

Run as a program it plays the month from the beginning, or from where the previous process was
killed. The next step is written to a file before it is executed, so that the next process repeats
it; the clock is stored in a file as well.
"""

import asyncio
import mmap
import os
import pickle
import random
import struct
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from threading import Event

from tests.service.month_environment import as_months_are, settings_of
from tests.service.notification_oracle import Noticing
from tests.service.notifications.receivers import Got, Receiver
from tests.service.simulated_month import Month

ROOT = Path(__file__).parent.parent.parent
NOT_KEPT = ("settings", "noticing", "services", "_folder", "_hand")
PATIENCE = 120
"""Seconds in which a process must have begun."""


class Mortal(Month):
    """A simulated month that survives its process.

    ``folder``: where everything that outlives the process is stored.
    """

    def __init__(self, folder: Path, place: str, people: int, matches: int) -> None:
        self._folder = folder
        with open(folder / "clock", "a+b") as file:
            if not file.tell():
                file.write(bytes(8))
                file.flush()
            self._hand = mmap.mmap(file.fileno(), 8)
        noticing = Noticing(Receiver(place))
        super().__init__(settings_of(folder / "data", place), 13, people, matches, noticing)

    @property
    def now(self) -> int:
        """Return the clock, which never goes back."""
        return int(struct.unpack("q", self._hand[:])[0])

    @now.setter
    def now(self, value: int) -> None:
        if value > self.now:
            self._hand[:] = struct.pack("q", value)

    async def run(self) -> None:
        """Play the month, or what is left of it."""
        if not self.remember():
            await self._lifetime(self._begin)
            self._look_ahead()
            self._between()
        print("lives", flush=True)
        await self._go_on()
        self._between()

    async def _live(self) -> None:
        self._noticed().note(self.services)  # what the previous process had sent
        await super()._live()

    def _noticed(self) -> Noticing:
        assert self.noticing is not None
        return self.noticing

    def remember(self) -> bool:
        """Restore the stored state; return False if there is none."""
        file = self._folder / "kept"
        if not file.exists():
            return False
        mine, noticed = pickle.loads(file.read_bytes())
        self.__dict__.update(mine)
        self._noticed().__dict__.update(noticed)
        return True

    def _between(self) -> None:
        mine = {name: each for name, each in self.__dict__.items() if name not in NOT_KEPT}
        noticed = {n: each for n, each in self._noticed().__dict__.items() if n != "taking"}
        file = self._folder / "coming"
        file.write_bytes(pickle.dumps((mine, noticed)))
        os.replace(file, self._folder / "kept")


class Deaths:
    """Runs a month through many processes.

    ``at_any_moment``, ``on_the_wire``: how many were killed at a random moment, and before the
    answer to a notification; ``lives``: in which of them each notification was received, by its id.
    """

    def __init__(self, folder: Path, taking: Receiver, people: int, matches: int) -> None:
        self.folder = folder
        self.taking = taking
        self.size = people, matches
        self.at_any_moment = self.on_the_wire = 0
        self.lives: dict[str, list[int]] = defaultdict(list)
        self._number = 0
        self._rng = random.Random(9)
        self._left: int | None = None
        self._now = Event()
        taking.heard = self._hear

    def live(self) -> Mortal:
        """Run process after process until one reaches the end of the month; return its state."""
        while not self._life():
            pass
        month = Mortal(self.folder, self.taking.place, *self.size)
        assert month.remember()
        assert month.noticing is not None
        month.noticing.taking = self.taking
        return month

    def _life(self) -> bool:
        """Run one process; return True if it ended by itself."""
        wire = self._rng.random() < 0.5
        command = [sys.executable, "-m", "tests.service.crashing_process", str(self.folder)]
        command += [self.taking.place, *map(str, self.size)]
        running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
        assert running.stdout is not None
        try:
            assert running.stdout.readline() == b"lives\n"
            # Everything the previous process has sent has arrived by now.
            self._number += 1
            self._now.clear()
            self._left = self._rng.randrange(1, 12) if wire else None
            moment = 20.0 if wire else self._rng.uniform(0.1, 1.0)
            killed = self._wait(running, moment)
        finally:
            running.kill()
            running.wait(20)
            running.stdout.close()
        if not killed:
            assert running.returncode == 0, "the process failed by itself"
        return not killed

    def _wait(self, running: "subprocess.Popen[bytes]", seconds: float) -> bool:
        """Return True if the process is to be killed now, False if it has ended."""
        for _ in range(int(seconds / 0.01)):
            if self._now.wait(0.01):
                self.on_the_wire += 1
                return True
            if running.poll() is not None:
                return False
        self.at_any_moment += 1
        return True

    def _hear(self, got: Got) -> None:
        """Record a notification; the last one of a process is not answered."""
        if self._left is not None:
            self._left -= 1
            if self._left <= 0:
                self._now.set()
                raise ConnectionAbortedError
        self.lives[got.headers["webhook-id"]].append(self._number)


def main() -> None:
    folder, place, people, matches = sys.argv[1:]
    month = Mortal(Path(folder), place, int(people), int(matches))
    with as_months_are(month):
        asyncio.run(month.run())


if __name__ == "__main__":
    main()
