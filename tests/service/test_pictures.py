"""Pictures of matches, and the routes that serve them."""

import random
import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from litestar.testing import TestClient
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageSequence, ImageStat

from domain.contract.game import Standing
from domain.contract.registry import TITLES
from domain.drawing.scene import SEAT_TONES
from domain.match.commands import Open, Undo
from domain.match.seats import FROM_FILE, Refused, Seat
from domain.match.timeline import Timeline
from service.media.frontend_files import FrontendFiles
from service.media.pictures import frames as framing
from service.media.pictures.frames import (
    MAX_FRAMES,
    StandingText,
    animation_job,
    build_frame,
    still_job,
)
from service.media.pictures.palette import light_tokens
from service.media.pictures.picture_renderer import LAST_FRAME_MS, PictureRenderer, differs
from service.media.pictures.render_job import ANIMATION_SIZE_PX
from service.media.pictures.svg_document import SvgSerializer
from service.settings import Settings
from tests.game_contract.indistinguishable_states import other_world
from tests.game_contract.play import Table, opened, option_sets, play, random_steps
from tests.service.apps import run_service

STUDIO = PictureRenderer()


def match_of(
    table: Table,
    steps: int = 5_000,
    seed: int = 1,
    people: int | None = None,
    source: str = "",
) -> Timeline:
    timeline = opened(table, seed, people, source)
    for _ in random_steps(timeline, random.Random(seed), steps):
        pass
    return timeline


def hex_match(seats: int, steps: int = 5_000) -> Timeline:
    return match_of(("caravanserai", seats, {"expert": True}), steps)


def largest(slug: str, steps: int, source: str = "") -> Timeline:
    """Return a match of a game with its maximum number of seats."""
    title = TITLES[slug]
    return match_of((slug, max(title.seats), option_sets(title)[0]), steps, source=source)


def png(timeline: Timeline, version: int) -> bytes:
    return STUDIO.render(still_job(timeline, version))


def gif(timeline: Timeline, first: int = 1, last: int | None = None) -> bytes:
    return STUDIO.render(animation_job(timeline, first, last))


def image(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


def frames(data: bytes) -> list[Image.Image]:
    return [frame.convert("RGB") for frame in ImageSequence.Iterator(image(data))]


def square(timeline: Timeline, version: int) -> Image.Image:
    """Return a moment in the size of an animation frame, rendered as a whole."""
    order = still_job(timeline, version)
    document = STUDIO.frame_svg(order, order.frames[0], ANIMATION_SIZE_PX)
    return image(STUDIO.rasterizer.render_png(document)).convert("RGB")


# --- stills -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seats", range(1, 7))
def test_a_still_is_a_picture_of_the_right_size(seats: int) -> None:
    timeline = hex_match(seats)
    for version in (1, timeline.version // 2, timeline.version):
        picture = image(png(timeline, version))
        assert picture.format == "PNG"
        picture.load()
        assert picture.size == (1200, 630)


@pytest.mark.slow
@pytest.mark.parametrize("slug", TITLES)
def test_every_game_has_pictures(slug: str) -> None:
    """From the first version, when seats are still open, to the last."""
    title = TITLES[slug]
    timeline = match_of((slug, max(title.seats), option_sets(title)[0]), 60)
    for version in range(1, timeline.version + 1, max(1, timeline.version // 5)):
        image(png(timeline, version)).load()
    assert build_frame(timeline, timeline.latest, None).scene is not None


def test_a_version_always_looks_the_same_and_others_differ() -> None:
    timeline = hex_match(3, 40)
    version = timeline.version
    early, late = png(timeline, version // 2), png(timeline, version)
    assert early != late
    for _ in random_steps(timeline, random.Random(8), 10):
        pass
    assert png(timeline, version) == late
    assert png(timeline, version // 2) == early


@pytest.mark.slow
@pytest.mark.parametrize("slug", [slug for slug in TITLES if slug != "caravanserai"])
def test_pictures_hide_secrets(slug: str) -> None:
    """Two matches that differ only in secrets have byte for byte the same pictures.

    A picture is rendered from its job alone, so of most only the jobs are compared.
    """
    title = TITLES[slug]
    compared = 0
    for seed in range(6):
        table = slug, max(title.seats), option_sets(title)[0]
        timeline = opened(table, seed)
        rng = random.Random(seed)
        for number, _ in enumerate(random_steps(timeline, rng, 60)):
            made = other_world(timeline, None, rng) if number % 7 == 0 else None
            if made is not None:
                world, _ = made
                version = timeline.version
                assert world.version == version
                assert still_job(world, version) == still_job(timeline, version)
                if compared == 0:
                    assert png(world, version) == png(timeline, version)
                    assert gif(world, version - 1) == gif(timeline, version - 1)
                compared += 1
    if not compared:
        pytest.skip("nothing in this game is hidden from spectators")


@pytest.mark.parametrize("slug", TITLES)
def test_pieces_are_where_the_scene_says(slug: str) -> None:
    """The area around each seat's last piece contains the seat's colour."""
    timeline = largest(slug, 60)
    order = still_job(timeline, timeline.version)
    shown = order.frames[0]
    assert shown.scene is not None
    drawer = STUDIO.layout_for(shown, (1200, 630))
    picture = image(STUDIO.render(order)).convert("RGB")
    found = 0
    for seat, tone in enumerate(SEAT_TONES):
        own = [p for p in shown.scene.pieces if f"var(--{tone})" in repr(p.node)]
        for piece in own[-1:]:
            x, y = drawer.to_pixels(piece.x, piece.y)  # type: ignore[attr-defined]
            box = picture.crop((round(x) - 16, round(y) - 16, round(x) + 16, round(y) + 16))
            assert _tone(seat) in {colour for _, colour in box.getcolors(4096) or ()}
            found += 1
    assert found >= len(shown.names) - 1


def _tone(seat: int) -> tuple[int, ...]:
    return tuple(bytes.fromhex(light_tokens()[f"seat-{seat}"][1:]))


def test_eight_seats_have_eight_colours() -> None:
    assert len({_tone(seat) for seat in range(8)}) == 8


@pytest.mark.parametrize("slug", TITLES)
def test_every_token_and_symbol_of_a_picture_is_there(slug: str) -> None:
    """An unresolved colour or symbol would be black or invisible."""
    timeline = largest(slug, 200)
    for version in (1, timeline.version // 2, timeline.version):
        order = still_job(timeline, version)
        document = STUDIO.frame_svg(order, order.frames[0], (1200, 630))
        assert "var(" not in document
        used = set(re.findall(r'href="#([^"]+)"', document))
        assert used == set(re.findall(r'<symbol id="([^"]+)"', document))


def test_a_hostile_name_is_only_a_name() -> None:
    """Names are user input: on a picture they are always plain text."""
    timeline = hex_match(2, 30)
    order = still_job(timeline, timeline.version)
    plain = order.frames[0]
    for name in (
        '</text><image href="file:///etc/passwd"/><text>',
        "&lt;script&gt;&#x0;",
        '" onload="x()" fill="var(--paper)',
        "]]><!--\x0b\ud800",
    ):
        shown = replace(plain, names=(name, name), letters=(name[:1], name[1:2]))
        document = STUDIO.frame_svg(order, shown, (1200, 630))
        tags = [node.tag.rpartition("}")[2] for node in ElementTree.fromstring(document).iter()]
        known = STUDIO.frame_svg(order, plain, (1200, 630))
        assert tags == [n.tag.rpartition("}")[2] for n in ElementTree.fromstring(known).iter()]
        assert image(STUDIO.rasterizer.render_png(document)).size == (1200, 630)


# --- animations ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("slug", TITLES)
def test_a_frame_for_each_event_that_changes_the_picture(slug: str) -> None:
    """Compared with the same moments rendered one by one, without the animation's optimisations."""
    timeline = largest(slug, 20)
    made = frames(gif(timeline))
    expected: list[Image.Image] = []
    for version in range(1, timeline.version + 1):
        if build_frame(timeline, timeline.at(version), None).scene is None:
            continue
        picture = square(timeline, version)
        if not expected or differs(picture, expected[-1]):
            expected.append(picture)
    assert len(made) == len(expected)
    for one, picture in zip(made, expected, strict=True):
        assert one.size == ANIMATION_SIZE_PX
        assert _far(one, picture) < 0.01


def _far(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels that differ by more than a palette of 255 colours explains."""
    gap = ImageChops.difference(one, other).convert("L").point(lambda v: 255 if v > 40 else 0)
    return gap.histogram()[255] / (gap.width * gap.height)


@pytest.mark.slow
@pytest.mark.parametrize("slug", TITLES)
def test_a_whole_match_ends_on_the_final_position_and_holds_it(slug: str) -> None:
    timeline = largest(slug, 2_000)
    data = gif(timeline)
    assert len(data) < 4_000_000
    movie = image(data)
    assert movie.info["loop"] == 0
    made = frames(data)
    assert len(made) <= MAX_FRAMES
    assert _far(made[-1], square(timeline, timeline.version)) < 0.01
    movie.seek(movie.n_frames - 1)  # type: ignore[attr-defined]
    assert movie.info["duration"] == LAST_FRAME_MS


@pytest.mark.slow
def test_a_film_draws_what_changes_and_not_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """On average a frame redraws a small part of its pixels, which keeps animations fast."""
    timeline = hex_match(2)
    pixels = []
    real = SvgSerializer.serialize

    def counted(self: SvgSerializer, nodes: Any, area: Any) -> str:
        pixels.append((area[2] - area[0]) * (area[3] - area[1]))
        return real(self, nodes, area)

    monkeypatch.setattr(SvgSerializer, "serialize", counted)
    shown = len(frames(gif(timeline)))
    assert shown > 60
    assert sum(pixels[3:]) < 0.25 * shown * ANIMATION_SIZE_PX[0] * ANIMATION_SIZE_PX[1]


def test_animation_of_a_long_match_skips_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = hex_match(3)
    monkeypatch.setattr(framing, "MAX_FRAMES", 20)
    made = frames(gif(timeline))
    assert 10 < len(made) <= 20
    assert _far(made[-1], square(timeline, timeline.version)) < 0.01


@pytest.mark.parametrize("slug", TITLES)
def test_each_frame_of_an_unsigned_file_says_so(slug: str) -> None:
    """Also where the game has its own headline while nobody is to move."""
    timeline = largest(slug, 120, FROM_FILE)
    shown = animation_job(timeline).frames
    assert all(each.turn_line.startswith("Unverified: ") for each in shown)
    noted = StandingText(shown[0].names, "playing", 2, (), None, "Camels moving", True)
    assert noted.turn_line() == "Unverified: Camels moving"
    assert replace(noted, hearsay=False).turn_line() == "Camels moving"


def test_headline_names_the_winners() -> None:
    def said(*ranks: int) -> str:
        standings = tuple(Standing(seat, rank, 7, {}) for seat, rank in enumerate(ranks))
        return StandingText(("Ann", "Bob"), "ended", 9, (), standings).headline()

    assert said(1, 2) == "Ann wins with 7"
    assert said(1, 1) == "Tie at 7"
    assert said(2, 2) == "Nobody wins"
    assert said(1) == "Ann finished with 7"


@pytest.mark.slow
def test_undone_moves_are_not_in_the_film() -> None:
    timeline = match_of(("caravanserai", 2, {"expert": False}), 40, people=1)
    version, before = timeline.version, len(frames(gif(timeline)))
    seat = timeline.to_act(timeline.latest)[0]
    for _ in random_steps(timeline, random.Random(3), 9):
        pass
    assert len(frames(gif(timeline))) > before
    play(timeline, seat, Undo(version))
    assert len(frames(gif(timeline))) == before


def test_unknown_version_has_no_picture() -> None:
    timeline = hex_match(1, 5)
    for call in (png, lambda t, v: gif(t, 1, v)):
        with pytest.raises(Refused, match="Valid versions: 1 to"):
            call(timeline, timeline.version + 1)


def test_an_open_table_has_a_picture() -> None:
    timeline = Timeline(opened(("caravanserai", 2, {"expert": False}), 1).rules)
    chairs = Seat("human", "Ann", "a"), Seat("open", "")
    command = Open("caravanserai", 1, {"expert": False}, chairs, "private", "a", "0" * 64, "0" * 64)
    play(timeline, None, command)
    image(png(timeline, 1)).load()
    assert len(frames(gif(timeline))) == 1


# --- routes --------------------------------------------------------------------------------------


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient[Any]]:
    build = tmp_path / "build"
    build.mkdir()
    (build / "index.html").write_text("<!doctype html><head><title>C</title></head><body></body>")
    settings = Settings(data=str(tmp_path / "data"), draw_limit=50, bot_patience=30.0)
    with run_service(settings) as running:
        running.app.services.frontend_files = FrontendFiles(build)
        yield running


def bearer(client: TestClient[Any], name: str) -> dict[str, str]:
    answer = client.post("/api/players", json={"name": name})
    client.cookies.clear()
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def against_bots(client: TestClient[Any], ann: dict[str, str], **more: Any) -> dict[str, Any]:
    """Return a match of Ann's against a bot after a few moves that have not ended it."""
    body = {
        "game": "caravanserai",
        "seats": [{"kind": "me"}, {"kind": "bot"}],
        "options": {"begins": "host"},
        **more,
    }
    match = client.post("/api/matches", json=body, headers=ann).json()
    rng = random.Random(4)
    for _ in range(12):
        address = f"/api/matches/{match['id']}"
        choices = client.get(f"{address}/choices", headers=ann).json()
        wish = {
            "seat": 0,
            "expected_version": choices["version"],
            "commands": [rng.choice(choices["choices"])["command"]],
        }
        match = client.post(f"{address}/commands", json=wish, headers=ann).json()["match"]
        if match["status"] == "finished":  # after 8 moves of a rare board
            return against_bots(client, ann, **more)
    return dict(match)


THEMES = ("light", "dark")
LOOKS = ("", "/review", "/picture.png", "/board.svg", "/animation.gif?from=20", "/events")


@pytest.mark.slow
def test_pictures_require_read_access(client: TestClient[Any]) -> None:
    """Strangers get 404, as everywhere; a link preview has only the share code."""
    ann, eve = bearer(client, "Ann"), bearer(client, "Eve")
    match = against_bots(client, ann)
    for path in LOOKS:
        address = f"/api/matches/{match['id']}{path}"
        code = "invite" if path in ("", "/events") else "share"
        mark = "&" if "?" in address else "?"
        assert client.get(address, headers=ann).status_code == 200
        assert client.get(address, headers=eve).status_code == 404
        assert client.get(address).status_code == 404
        assert client.get(f"{address}{mark}{code}=aaaaaaaaaaaaaaaa").status_code == 404
        shared = client.get(f"{address}{mark}{code}={match['share']}")
        assert shared.status_code == 200
        if path == "":
            assert shared.json()["seats"][0]["you"] is False
            assert "share" not in shared.json()


def test_the_share_code_does_not_let_anybody_join(client: TestClient[Any]) -> None:
    ann, eve = bearer(client, "Ann"), bearer(client, "Eve")
    body = {
        "game": "caravanserai",
        "seats": [{"kind": "me"}, {"kind": "open"}],
        "options": {"begins": "host"},
    }
    match = client.post("/api/matches", json=body, headers=ann).json()
    assert match["share"] != match["invite"]
    address = f"/api/matches/{match['id']}/join"
    refused = client.post(address, json={"invite": match["share"]}, headers=eve)
    assert refused.status_code == 403
    assert refused.json()["code"] == "wrong_invite"


@pytest.mark.slow
def test_pictures_over_http(client: TestClient[Any]) -> None:
    ann = bearer(client, "Ann")
    match = against_bots(client, ann)
    address = f"/api/matches/{match['id']}"
    still = client.get(f"{address}/picture.png?at=20", headers=ann)
    assert still.headers["content-type"] == "image/png"
    assert image(still.content).size == (1200, 630)
    assert "max-age" in still.headers["cache-control"]
    again = {**ann, "If-None-Match": still.headers["etag"]}
    assert client.get(f"{address}/picture.png?at=20", headers=again).status_code == 304
    assert client.get(f"{address}/picture.png?at=20", headers=ann).content == still.content
    assert client.get(f"{address}/picture.png", headers=ann).content != still.content
    film = client.get(f"{address}/animation.gif?from=15&to=30", headers=ann)
    assert film.headers["content-type"] == "image/gif"
    assert 1 < len(frames(film.content)) <= 16
    beyond = match["version"] + 1
    for path in (
        f"picture.png?at={beyond}",
        f"animation.gif?to={beyond}",
        "animation.gif?from=9&to=8",
    ):
        answer = client.get(f"{address}/{path}", headers=ann)
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_version")
    assert client.get(f"{address}/picture.png?at=0", headers=ann).status_code == 422


def test_a_picture_by_night(client: TestClient[Any]) -> None:
    """Darker than by day, cached separately, and by day without a theme parameter."""
    ann = bearer(client, "Ann")
    match = against_bots(client, ann)
    address = f"/api/matches/{match['id']}/picture.png?at={match['version']}"
    plain = client.get(address, headers=ann)
    day, night = (client.get(f"{address}&theme={theme}", headers=ann) for theme in THEMES)
    assert plain.content == day.content
    assert day.headers["etag"] != night.headers["etag"]
    bright, dark = (ImageStat.Stat(image(each.content).convert("L")).mean for each in (day, night))
    assert bright[0] > 2 * dark[0]
    assert client.get(f"{address}&theme=dusk", headers=ann).status_code == 422


def test_a_small_board_by_day_and_by_night(client: TestClient[Any]) -> None:
    """As in lists: cached for ever per version, with colours instead of CSS variables."""
    ann = bearer(client, "Ann")
    match = against_bots(client, ann)
    address = f"/api/matches/{match['id']}/board.svg?at={match['version']}"
    day, night = (client.get(f"{address}&theme={theme}", headers=ann) for theme in THEMES)
    assert day.headers["content-type"] == "image/svg+xml"
    assert "max-age=86400" in day.headers["cache-control"]
    assert day.content != night.content
    for shown in (day, night):
        assert ElementTree.fromstring(shown.content).tag.endswith("}svg")
        assert b"var(" not in shown.content
        assert len(shown.content) < 100_000
    assert client.get(f"{address}&theme=dusk", headers=ann).status_code == 422
    body = {"game": "caravanserai", "seats": [{"kind": "me"}, {"kind": "open"}]}
    waiting = client.post("/api/matches", json=body, headers=ann).json()
    laid_out = client.get(f"/api/matches/{waiting['id']}/board.svg", headers=ann)
    assert laid_out.content.startswith(b"<svg")


@pytest.mark.slow
@pytest.mark.parametrize("slug", TITLES)
def test_each_game_shows_its_board(client: TestClient[Any], slug: str) -> None:
    shown = client.get(f"/api/games/{slug}/board.svg")
    assert ElementTree.fromstring(shown.content).tag.endswith("}svg")
    assert client.get("/api/games/nothing/board.svg").json()["code"] == "no_such_game"


def test_small_board_shows_no_secret(client: TestClient[Any]) -> None:
    """In a game with secrets every viewer gets the same drawing."""
    ann, bea = bearer(client, "Ann"), bearer(client, "Bea")
    seats = [{"kind": "me"}, {"kind": "open"}]
    body = {"game": "caravane", "seats": seats, "visibility": "public"}
    match = client.post("/api/matches", json=body, headers=ann).json()
    address = f"/api/matches/{match['id']}"
    client.post(f"{address}/join", json={}, headers=bea)
    before = client.get(f"{address}/board.svg", headers=ann).content
    choices = client.get(f"{address}/choices?seat=0", headers=ann).json()
    wish = {
        "seat": 0,
        "expected_version": choices["version"],
        "commands": [choices["choices"][-1]["command"]],
    }
    client.post(f"{address}/commands", json=wish, headers=ann)
    shown = [client.get(f"{address}/board.svg", headers=who).content for who in (ann, bea, {})]
    assert len(set(shown)) == 1
    assert len(before) > 1_000


def test_a_review_over_http(client: TestClient[Any]) -> None:
    ann = bearer(client, "Ann")
    match = against_bots(client, ann)
    found = client.get(f"/api/matches/{match['id']}/review", headers=ann).json()
    assert found["version"] == match["version"]
    assert found["seats"][0]["you"] is True
    assert "standings" not in found
    players = match["view"]["players"]
    final = found["review"]["charts"][0]["points"][-1]["values"]
    waiting = next(p["seat"] for p in players if p["seat"] not in match["to_act"])
    assert final[waiting] == players[waiting]["length"]


@pytest.mark.slow
def test_pictures_are_limited(client: TestClient[Any]) -> None:
    ann = bearer(client, "Ann")
    match = against_bots(client, ann)
    address = f"/api/matches/{match['id']}/picture.png"
    codes = [client.get(address, headers=ann).status_code for _ in range(120)]
    assert codes[:50] == [200] * 50
    assert 429 in codes  # the requests may fall into two minutes, no more
    assert client.get(f"/api/matches/{match['id']}", headers=ann).status_code == 200


def tags(page: str) -> dict[str, str]:
    found = re.findall(r'<meta property="([^"]+)" content="([^"]*)">', page)
    return {name: unescape(text) for name, text in found}


def test_the_page_of_a_match_shows_a_preview(client: TestClient[Any]) -> None:
    """The picture a chat fetches without a cookie shows the linked moment."""
    ann = bearer(client, '"><b>Ann</b>')
    match = against_bots(client, ann)
    page = client.get(f"/m/{match['id']}?share={match['share']}&v=20")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "<b>" not in page.text
    found = tags(page.text)
    assert found["og:title"].startswith('Caravanserai: "><b>Ann</b>')
    assert "to move" in found["og:description"]
    picture = client.get(found["og:image"])
    still = client.get(f"/api/matches/{match['id']}/picture.png?at=20", headers=ann)
    assert picture.content == still.content
    assert found["og:url"].endswith(f"/m/{match['id']}?v=20&share={match['share']}")


@pytest.mark.slow
def test_a_private_match_has_no_preview_without_its_code(client: TestClient[Any]) -> None:
    ann = bearer(client, "Ann")
    match = against_bots(client, ann)
    for path in (match["id"], f"{match['id']}?share=aaaaaaaaaaaaaaaa", "no-such-match"):
        page = client.get(f"/m/{path}")
        assert page.status_code == 200
        assert tags(page.text) == {}


@pytest.mark.slow
@pytest.mark.parametrize("wish", ["", "0", "9999", "-3", "x", "²", "1" * 40])
def test_a_public_match_has_a_preview_for_any_version_asked(
    client: TestClient[Any], wish: str
) -> None:
    ann = bearer(client, "Ann")
    match = against_bots(client, ann, visibility="public")
    page = client.get(f"/m/{match['id']}", params={"v": wish})
    found = tags(page.text)
    assert "share" not in found["og:image"]
    assert client.get(found["og:image"]).status_code == 200


def test_background_is_rendered_once_per_match() -> None:
    one, other = hex_match(1, 5), hex_match(2, 5)
    grounds = [each.scene.ground for each in animation_job(one).frames if each.scene]
    assert len(grounds) > 3
    assert all(ground is grounds[0] for ground in grounds)
    between = animation_job(other).frames[0].scene
    again = animation_job(one).frames[0].scene
    assert between is not None
    assert again is not None
    assert between.ground != again.ground == grounds[0]
