"""The page of a lesson (`domain.match.lesson`): a local match, and a card that explains each
step."""

from collections.abc import Iterator

from _native import instant, no_ring

from domain.match.lesson import begin_lesson
from domain.text.default_names import default_person_name
from frontend.app.api import session
from frontend.app.components import page_frame
from frontend.app.core import match_ids
from frontend.app.core.dom import show
from frontend.app.core.i18n import t, words_of
from frontend.app.core.problem import Problem
from frontend.app.core.types import Went
from frontend.app.match.page import MatchPage
from frontend.app.offline.local_match import PLAYER
from frontend.app.offline.server import HOUSE
from frontend.app.pages.lesson.coach import Coach


class LessonPage(MatchPage):
    """The page of the match in which a game is learnt, at an address of its own."""

    coach: Coach

    def __init__(self, slug: str, query: dict[str, str], went: Went) -> None:
        self.slug = slug
        super().__init__(match_ids.LESSON + slug, query, went)

    def _ask(self) -> None:
        if not self.closed:
            HOUSE.find(self.id, lambda _table: self._ask_here(), lambda _problem: self._begin_it())

    def _ask_here(self) -> None:
        MatchPage._ask(self)

    def _begin_it(self) -> None:
        """Create the match of the lesson, which this device does not have yet."""
        words_of(self.slug)
        name = session.me["name"] or default_person_name(1)
        timeline = begin_lesson(self.slug, PLAYER, name, instant())

        head = {"id": self.id, "first": len(timeline.decisions)}

        def failed(problem: Problem) -> None:
            show(page_frame.message(t("Nobody here"), problem.detail))

        HOUSE.found(timeline, lambda _match: self._ask_here(), failed, head)

    def address_at(self, version: int | None = None) -> str:
        """Return the address of this page, at a version or now."""
        return f"/learn/{self.slug}" + ("" if version is None else f"?v={version}")

    def _furnish(self) -> Iterator[None]:
        yield from MatchPage._furnish(self)
        self.coach = Coach(self, self.slug)
        self.frame.append(self.coach.node)

    def _drawing(self) -> Iterator[None]:
        """Draw the moment and the step of the lesson that belongs to it."""
        yield from MatchPage._drawing(self)
        self.coach.draw(self.shown)

    def close(self) -> None:
        """Close the page and remove the ring."""
        super().close()
        no_ring()
