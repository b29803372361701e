"""The page of a lesson (`domain.match.lesson`): a local match with a card explaining each step."""

from _native import hide_highlight_ring, now_ms

from domain.match.lesson import begin_lesson
from domain.text.default_names import default_person_name
from frontend.app.api import session
from frontend.app.components import page_frame
from frontend.app.contract.context import MatchContext
from frontend.app.core import match_ids
from frontend.app.core.dom import show
from frontend.app.core.i18n import t, translator_for
from frontend.app.core.problem import Problem
from frontend.app.core.types import Navigate
from frontend.app.match.match_view import MatchView
from frontend.app.match.page import MatchPage
from frontend.app.offline.local_match import LOCAL_PLAYER_ID
from frontend.app.offline.server import SERVER
from frontend.app.pages.lesson.coach import Coach


class LessonContext(MatchContext):
    """The context of a lesson, which has an address of its own."""

    def address_at(self, version: int | None = None) -> str:
        """Return the address of the lesson, at a version or at the latest moment."""
        slug = self.id[len(match_ids.LESSON_PREFIX) :]
        return f"/learn/{slug}" + ("" if version is None else f"?v={version}")


class LessonPage(MatchPage):
    """The page ``/learn/<slug>``: the match page of a lesson's match, with the lesson's card."""

    context_class = LessonContext

    def __init__(self, slug: str, query: dict[str, str], navigate: Navigate) -> None:
        self.slug = slug
        super().__init__(match_ids.LESSON_PREFIX + slug, query, navigate)

    def _ask(self) -> None:
        if not self.context.is_closed:
            SERVER.load_match(
                self.context.id,
                lambda _table: MatchPage._ask(self),
                lambda _problem: self._create_match(),
            )

    def _create_match(self) -> None:
        """Create the lesson's match, which is not stored on this device yet."""
        translator_for(self.slug)
        name = session.current["name"] or default_person_name(1)
        timeline = begin_lesson(self.slug, LOCAL_PLAYER_ID, name, now_ms())
        head = {"id": self.context.id, "first": len(timeline.decisions)}

        def on_error(problem: Problem) -> None:
            show(page_frame.message_page(t("error.nobody_here"), problem.detail))

        SERVER.create_match(timeline, lambda _match: MatchPage._ask(self), on_error, head)

    def extend(self, view: MatchView) -> None:
        """Add the card of the lesson, which is updated after the board was drawn."""
        view.host.root.append(Coach(view, self.slug).card.node)

    def close(self) -> None:
        """Close the page and remove the highlight ring."""
        super().close()
        hide_highlight_ring()
