"""Drawing matches of the hex game: stills for link previews, animations of whole matches."""

import random
from time import perf_counter

from domain.review import review
from service import pictures
from tests.kit.play import opened, random_steps


def main() -> None:
    for seats in (1, 2, 4, 6):
        timeline = opened(("caravanserai", seats, {"expert": True}), 1)
        for _ in random_steps(timeline, random.Random(1), 5_000):
            pass
        stills = []
        for version in range(1, timeline.version + 1, timeline.version // 10):
            start = perf_counter()
            data = pictures.png(timeline, version)
            stills.append((perf_counter() - start) * 1000)
        start = perf_counter()
        film = pictures.gif(timeline)
        seconds = perf_counter() - start
        start = perf_counter()
        review(timeline, None)
        told = (perf_counter() - start) * 1000
        print(
            f"{seats} seats, {timeline.version:4} events: still {sorted(stills)[5]:4.0f} ms"
            f" ({len(data) // 1000} kB), whole match as GIF {seconds:5.2f} s"
            f" ({len(film) // 1000} kB), review {told:5.1f} ms"
        )


if __name__ == "__main__":
    main()
