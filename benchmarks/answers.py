"""Size of JSON responses, in bytes, in random matches of every registered game.

Measures the largest view, the part of it that changes during a match, the longest list of legal
commands, and the grouped list that the page requests instead, with the commands of small groups.
"""

import random

import msgspec

from domain.contract.registry import TITLES
from domain.presentation.choices import all_choices, grouped_choices
from service.matches.presenters import Viewer, match_answer, without_static_fields
from tests.game_contract.play import opened, random_steps, tables

STEPS = 300
MAX_LISTED = 60  # maximum number of commands in a group whose commands the page lists at once


def json_size(answer: object) -> int:
    return len(msgspec.json.encode(answer))


def main() -> None:
    for slug, title in TITLES.items():
        views, changes, lists, groups = [0], [0], [(0, 0)], [0]
        of_game = [table for table in tables() if table[0] == slug]
        for table in (of_game[0], of_game[-1]):
            timeline = opened(table, 1)
            for _ in random_steps(timeline, random.Random(1), STEPS):
                seat = timeline.to_act(timeline.latest)[0]
                viewer = Viewer(timeline, timeline.latest.seats[seat].player, seat)
                answer = match_answer("id", viewer)
                choices = all_choices(viewer, seat)
                views.append(json_size(answer.view))
                changes.append(json_size(without_static_fields(answer).view))
                lists.append((json_size(choices), len(choices.choices)))
                groups.append(json_size(grouped_choices(viewer, seat, MAX_LISTED)))
        longest, entries = max(lists)
        print(
            f"{title.slug:16} view {max(views):7,} bytes, what changes of it {max(changes):6,},"
            f" choices {longest:9,} ({entries:,} entries), by group {max(groups):7,}"
        )


if __name__ == "__main__":
    main()
