"""Pictures of matches, and the calls that serve them."""

import random
import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient
from PIL import Image, ImageChops, ImageSequence

from domain.match import Open, Refused, Seat, Timeline, Undo
from domain.register import TITLES
from service import pictures
from service.app import create_app
from service.pages import Pages
from service.pictures import paint
from service.settings import Settings
from tests.kit.play import Table, opened, option_sets, play, random_steps
from tests.kit.worlds import other_world

FRONTEND = Path(pictures.__file__).parents[2] / "frontend" / "static"


def match_of(
    table: Table, steps: int = 5_000, seed: int = 1, people: int | None = None
) -> Timeline:
    timeline = opened(table, seed, people)
    for _ in random_steps(timeline, random.Random(seed), steps):
        pass
    return timeline


def hex_match(seats: int, steps: int = 5_000) -> Timeline:
    return match_of(("caravanserai", seats, {"expert": True}), steps)


def image(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


def frames(data: bytes) -> list[Image.Image]:
    return [frame.convert("RGB") for frame in ImageSequence.Iterator(image(data))]


# --- stills -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(1, 7))
def test_a_still_is_a_picture_of_the_right_size(seats: int) -> None:
    timeline = hex_match(seats)
    for version in (1, timeline.version // 2, timeline.version):
        picture = image(pictures.png(timeline, version))
        assert picture.format == "PNG"
        picture.load()
        assert picture.size == (1200, 630)


@pytest.mark.parametrize("slug", TITLES)
def test_every_game_has_pictures(slug: str) -> None:
    """From the first version, when seats are still open, to the last."""
    title = TITLES[slug]
    timeline = match_of((slug, max(title.seats), option_sets(title.options)[0]), 60)
    for version in range(1, timeline.version + 1, max(1, timeline.version // 12)):
        image(pictures.png(timeline, version)).load()
    assert len(frames(pictures.gif(timeline))) > 1


def test_a_version_always_looks_the_same_and_others_differ() -> None:
    timeline = hex_match(3, 40)
    version = timeline.version
    early, late = pictures.png(timeline, version // 2), pictures.png(timeline, version)
    assert early != late
    for _ in random_steps(timeline, random.Random(8), 10):
        pass
    assert pictures.png(timeline, version) == late
    assert pictures.png(timeline, version // 2) == early


def test_the_leading_camel_is_where_the_view_says() -> None:
    """Around the middle of its cell is the owner's colour: ring and camel."""
    timeline = hex_match(2, 30)
    shown = pictures.scene(timeline, timeline.now, None)
    drawer = pictures.HexPicture(shown, pictures.WIDE)
    picture = drawer.draw(shown)
    assert shown.view is not None
    for player in shown.view["players"]:
        q, r, _ = player["caravan"][-1]
        x, y = pictures.caravanserai.centre(q, r)
        (left, top), scale = drawer._origin, drawer._scale
        at = round((x - left) * scale), round((y - top) * scale)
        around = picture.crop((at[0] - 22, at[1] - 22, at[0] + 22, at[1] + 22))
        colours = {colour for _, colour in around.getcolors(4096) or ()}
        assert paint.SEAT_COLOURS[player["seat"]] in colours


@pytest.mark.parametrize("slug", [slug for slug in TITLES if slug != "caravanserai"])
def test_nothing_hidden_shows(slug: str) -> None:
    """Two worlds that differ in secrets only: byte for byte the same pictures."""
    title = TITLES[slug]
    compared = 0
    for seed in range(6):
        table = slug, max(title.seats), option_sets(title.options)[0]
        timeline = opened(table, seed)
        rng = random.Random(seed)
        for number, _ in enumerate(random_steps(timeline, rng, 60)):
            made = other_world(timeline, None, rng) if number % 7 == 0 else None
            if made is not None:
                world, _ = made
                version = timeline.version
                assert world.version == version
                assert pictures.png(world, version) == pictures.png(timeline, version)
                if compared == 0:
                    assert pictures.gif(world, version - 1) == pictures.gif(timeline, version - 1)
                compared += 1
    if not compared:
        pytest.skip("nothing in this game is hidden from spectators")


def test_colours_and_camels_are_those_of_the_app() -> None:
    """One constant each: what the style sheet and the page say is what is drawn."""
    style = (FRONTEND / "style.css").read_text()
    light = style[: style.index("}")]
    for seat, colour in enumerate(paint.SEAT_COLOURS):
        assert f"--seat-{seat}: #{bytes(colour).hex()}" in light
    page = (FRONTEND / "index.html").read_text()
    assert re.sub(r"\s", "", paint.CAMEL) in re.sub(r"\s", "", page)
    assert re.sub(r"\s", "", paint.LYING) in re.sub(r"\s", "", page)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Zoë Šimák", "Zoe\u0308 S\u030cima\u0301k"),
        ("Jürgen Groß", "Ju\u0308rgen Gross"),
        ("Íñigo", "I\u0301n\u0303igo"),
        ("naïf", "naif"),
        ("Миша", "Seat 2"),
        ("🐫", "Seat 2"),
        ("Bob 🐫", "Bob"),
        ("  ", "Seat 2"),
    ],
)
def test_names_are_drawn_as_far_as_the_font_goes(name: str, shown: str) -> None:
    assert paint.drawable(name, "Seat 2") == shown


def test_long_names_are_cut() -> None:
    cut = paint.fitted("W" * 40, 26, 200)
    assert cut.endswith("…")
    assert paint.length(cut, 26) <= 200


def test_accents_are_drawn_above_their_letters() -> None:
    """More ink than without, and only above where the letter stands."""
    canvases = []
    for text in ("nu", "nu\u0308"):
        canvas = Image.new("RGB", (100, 60), paint.WHITE)
        assert paint.write(canvas, (10, 30), text, 30) == paint.length("nu", 30)
        canvases.append(canvas)
    box = ImageChops.difference(*canvases).getbbox()
    assert box is not None
    start = 10 + paint.length("n", 30)
    assert start - 2 <= box[0] < box[2] <= start + paint.length("u", 30) + 2
    assert box[3] <= 30


# --- animations -------------------------------------------------------------------------------


def test_a_frame_for_each_event_that_changes_the_picture() -> None:
    """Compared with the same moments drawn one by one, without the movie's economies."""
    timeline = hex_match(2, 45)
    made = frames(pictures.gif(timeline))
    expected = []
    drawer = None
    for version in range(1, timeline.version + 1):
        shown = pictures.scene(timeline, timeline.at(version), None)
        if shown.view is None:
            continue
        drawer = drawer or pictures.HexPicture(shown, pictures.SQUARE)
        picture = drawer.draw(shown)
        if not expected or ImageChops.difference(picture, expected[-1]).getbbox():
            expected.append(picture)
    assert len(made) == len(expected)
    for frame, picture in zip(made, expected, strict=True):
        assert frame.size == pictures.SQUARE
        assert _far(frame, picture) < 0.01


def _far(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels that differ by more than a palette of 255 colours explains."""
    gap = ImageChops.difference(one, other).convert("L").point(lambda v: 255 if v > 40 else 0)
    return gap.histogram()[255] / (gap.width * gap.height)


@pytest.mark.parametrize("seats", [1, 4])
def test_a_whole_match_ends_on_the_final_position_and_holds_it(seats: int) -> None:
    timeline = hex_match(seats)
    data = pictures.gif(timeline)
    assert len(data) < 4_000_000
    movie = image(data)
    assert movie.info["loop"] == 0
    made = frames(data)
    assert len(made) <= pictures.MOST_FRAMES
    shown = pictures.scene(timeline, timeline.now, None)
    assert _far(made[-1], pictures.HexPicture(shown, pictures.SQUARE).draw(shown)) < 0.01
    movie.seek(movie.n_frames - 1)  # type: ignore[attr-defined]
    assert movie.info["duration"] == pictures.HOLD


def test_a_long_match_is_thinned_out(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = hex_match(3)
    monkeypatch.setattr(pictures, "MOST_FRAMES", 20)
    made = frames(pictures.gif(timeline))
    assert 10 < len(made) <= 20
    shown = pictures.scene(timeline, timeline.now, None)
    assert _far(made[-1], pictures.HexPicture(shown, pictures.SQUARE).draw(shown)) < 0.01


def test_undone_moves_are_not_in_the_film() -> None:
    timeline = match_of(("caravanserai", 2, {"expert": False}), 40, people=1)
    version, before = timeline.version, len(frames(pictures.gif(timeline)))
    seat = timeline.to_act(timeline.now)[0]
    for _ in random_steps(timeline, random.Random(3), 9):
        pass
    assert len(frames(pictures.gif(timeline))) > before
    play(timeline, seat, Undo(version))
    assert len(frames(pictures.gif(timeline))) == before


def test_there_is_no_picture_of_a_version_that_is_not_there() -> None:
    timeline = hex_match(1, 5)
    for call in (pictures.png, lambda t, v: pictures.gif(t, 1, v)):
        with pytest.raises(Refused, match="versions 1 to"):
            call(timeline, timeline.version + 1)


def test_an_open_table_has_a_picture() -> None:
    timeline = Timeline(opened(("caravanserai", 2, {"expert": False}), 1).rules)
    chairs = Seat("human", "Ann", "a"), Seat("open", "")
    command = Open("caravanserai", 1, {"expert": False}, chairs, "private", "a", "0" * 64, "0" * 64)
    play(timeline, None, command)
    image(pictures.png(timeline, 1)).load()
    assert len(frames(pictures.gif(timeline))) == 1


# --- the calls --------------------------------------------------------------------------------


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient[Any]]:
    build = tmp_path / "build"
    build.mkdir()
    (build / "index.html").write_text("<!doctype html><head><title>C</title></head><body></body>")
    app = create_app(Settings(data=str(tmp_path / "data"), draw_limit=50))
    app.state.pages = Pages(build)
    with TestClient(app) as running:
        yield running


def bearer(client: TestClient[Any], name: str) -> dict[str, str]:
    answer = client.post("/api/players", json={"name": name})
    client.cookies.clear()
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def against_bots(client: TestClient[Any], ann: dict[str, str], **more: Any) -> dict[str, Any]:
    """A match of Ann's against two bots, a few moves in."""
    body = {"game": "caravanserai", "seats": [{"kind": "me"}, {"kind": "bot"}], **more}
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
    return dict(match)


LOOKS = ("", "/review", "/picture.png", "/animation.gif?from=20", "/events")


def test_who_may_look_may_see_pictures_and_nobody_else(client: TestClient[Any]) -> None:
    """Strangers get 404, as everywhere; the share code is all that a preview's program has."""
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
    body = {"game": "caravanserai", "seats": [{"kind": "me"}, {"kind": "open"}]}
    match = client.post("/api/matches", json=body, headers=ann).json()
    assert match["share"] != match["invite"]
    address = f"/api/matches/{match['id']}/join"
    refused = client.post(address, json={"invite": match["share"]}, headers=eve)
    assert refused.status_code == 403
    assert refused.json()["code"] == "wrong_invite"


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


def test_a_review_over_http(client: TestClient[Any]) -> None:
    ann = bearer(client, "Ann")
    match = against_bots(client, ann)
    found = client.get(f"/api/matches/{match['id']}/review", headers=ann).json()
    assert found["version"] == match["version"]
    assert found["seats"][0]["you"] is True
    assert "standings" not in found
    players = match["view"]["players"]
    final = found["review"]["lengths"][-1]["lengths"]
    waiting = next(p["seat"] for p in players if p["seat"] not in match["to_act"])
    assert final[waiting] == players[waiting]["length"]


def test_pictures_are_limited(client: TestClient[Any]) -> None:
    ann = bearer(client, "Ann")
    match = against_bots(client, ann)
    address = f"/api/matches/{match['id']}/picture.png"
    codes = [client.get(address, headers=ann).status_code for _ in range(120)]
    assert codes[:50] == [200] * 50
    assert 429 in codes  # they may fall into two minutes, no more
    assert client.get(f"/api/matches/{match['id']}", headers=ann).status_code == 200


def tags(page: str) -> dict[str, str]:
    found = re.findall(r'<meta property="([^"]+)" content="([^"]*)">', page)
    return {name: unescape(text) for name, text in found}


def test_the_page_of_a_match_shows_a_preview(client: TestClient[Any]) -> None:
    """The picture a chat fetches, without a cookie, is that of the linked moment."""
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


def test_a_private_match_has_no_preview_without_its_code(client: TestClient[Any]) -> None:
    ann = bearer(client, "Ann")
    match = against_bots(client, ann)
    for path in (match["id"], f"{match['id']}?share=aaaaaaaaaaaaaaaa", "no-such-match"):
        page = client.get(f"/m/{path}")
        assert page.status_code == 200
        assert tags(page.text) == {}


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
