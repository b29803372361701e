"""Time to make the pictures and the review of a match of every game.

Stills and a review in milliseconds, an animation of the whole match in seconds, and file sizes.
"""

import random
from time import perf_counter

from domain.contract.registry import TITLES
from domain.match.review import compute_findings
from service.media.pictures.frames import animation_job, still_job
from service.media.pictures.picture_renderer import PictureRenderer
from tests.game_contract.play import opened, random_steps


def main() -> None:
    studio = PictureRenderer()
    for slug, title in TITLES.items():
        for seats in sorted({min(title.seats), max(title.seats)}):
            timeline = opened((slug, seats, {}), 1)
            for _ in random_steps(timeline, random.Random(1), 1_000):
                pass
            stills = []
            for version in range(1, timeline.version + 1, timeline.version // 10):
                start = perf_counter()
                data = studio.render(still_job(timeline, version))
                stills.append((perf_counter() - start) * 1000)
            start = perf_counter()
            whole = studio.render(animation_job(timeline))
            seconds = perf_counter() - start
            start = perf_counter()
            compute_findings(timeline, None)
            told = (perf_counter() - start) * 1000
            print(
                f"{slug}, {seats} seats, {timeline.version:4} events:"
                f" still {sorted(stills)[5]:4.0f} ms, the first {max(stills):4.0f} ms"
                f" ({len(data) // 1000} kB), whole match as GIF {seconds:5.2f} s"
                f" ({len(whole) // 1000} kB), review {told:5.1f} ms"
            )


if __name__ == "__main__":
    main()
