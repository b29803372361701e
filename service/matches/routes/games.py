"""Routes for listing games and previewing matches."""

from typing import Any

from litestar import get, post
from litestar.params import JSONBody

from domain.contract.game import GameInfo
from domain.contract.options import schema_of
from domain.contract.registry import TITLES
from service.http.i18n import translate
from service.matches import preview, schema
from service.matches.parameters import Slug


@get("/api/games", operation_id="listGames", tags=["games"], sync_to_thread=False)
def list_games() -> list[schema.GameAnswer]:
    """List the games that can be played."""
    return [_game_answer(title) for title in TITLES.values()]


def _game_answer(title: GameInfo) -> schema.GameAnswer:
    return schema.GameAnswer(
        slug=title.slug,
        title=title.title,
        designer=title.designer,
        min_seats=min(title.seats),
        max_seats=max(title.seats),
        seats=list(title.seats),
        options=_translated_schema(title),
        about=translate(title.slug, title.about, {}),
        traits=list(title.traits),
        minutes=title.minutes,
        weight=title.weight,
    )


def _translated_schema(title: GameInfo) -> dict[str, Any]:
    """Return the schema of a game's options, with its texts in the language of the request."""

    def translated(field: str, value: Any) -> Any:
        if field in ("title", "description"):
            return translate(title.slug, value, {})
        if field in ("titles", "places"):
            return [translate(title.slug, each, {}) for each in value]
        return value

    schema_ = schema_of(title)
    properties = {
        name: {field: translated(field, value) for field, value in option.items()}
        for name, option in schema_["properties"].items()
    }
    return {**schema_, "properties": properties}


@post(
    "/api/games/{slug:str}/preview",
    operation_id="previewGame",
    tags=["games"],
    status_code=200,
    opt={"cost": 5},
)
async def preview_game(slug: Slug, data: JSONBody[schema.PreviewTable]) -> schema.PreviewAnswer:
    """Preview a match with given options.

    No match is created. Random parts are only an example: a real match has its own draws.
    """
    timeline = preview.build_preview(slug, data.options, data.seats)
    return schema.PreviewAnswer(
        game=slug,
        seats=data.seats,
        options=timeline.latest.opened.options,
        view=timeline.rules.view(timeline.latest.state, None),
    )
