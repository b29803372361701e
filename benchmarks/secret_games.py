"""Random steps per second through choices, decide and evolve of the games with secrets."""

import random
from time import perf_counter

from domain.register import TITLES, rules_of

SECONDS = 3.0


def steps_per_second(slug: str, seats: int) -> float:
    rules = rules_of(slug)
    properties = TITLES[slug].options["properties"]
    options = {name: part["default"] for name, part in properties.items()}
    rng = random.Random(1)
    steps = 0
    start = perf_counter()
    while perf_counter() - start < SECONDS:
        state = None
        for event in rules.setup(options, seats, rng.randrange):
            state = rules.evolve(state, event)
        for _ in range(400):
            acting = rules.to_act(state)
            if not acting:
                break
            seat = rng.choice(acting)
            choice = rng.choice(rules.choices(state, seat))
            for event in rules.decide(state, seat, choice.command, rng.randrange):
                state = rules.evolve(state, event)
            steps += 1
    return steps / (perf_counter() - start)


def main() -> None:
    for slug in ("caravane", "caravanserail"):
        for seats in (min(TITLES[slug].seats), max(TITLES[slug].seats)):
            print(f"{slug:14} {seats} seats: {steps_per_second(slug, seats):9.0f} steps/s")


if __name__ == "__main__":
    main()
