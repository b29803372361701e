"""`tests.service.apps`: a service that uses the application of an earlier one starts from nothing.

Otherwise tests would pass or fail because of the tests before them.
"""

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.app import App
from service.media.frontend_files import FrontendFiles
from service.settings import Settings
from tests.service.apps import borrow_app, run_service
from tests.service.people import Client, Person, two_at_a_table

MAX_BODY = 300_000
"""A size that no other test uses, so that applications of others are not used here."""
PATHS = ("/", "/schema/openapi.json", "/health/live", "/api/games", "/api/matches")
METRICS = {"Authorization": "Bearer secret"}


def settings_of(folder: Path, **more: Any) -> Settings:
    return Settings(data=str(folder), max_body=MAX_BODY, **more)


def use(client: Client) -> str:
    """Send requests of many kinds; return the id of a match."""
    ann, bob, match = two_at_a_table(client)
    ann.step(match)
    for path in PATHS:
        assert client.get(path).status_code != 404, path
    for path in ("", "/events", "/review", "/board.svg", "/export", "/plan", "/animation.gif"):
        assert ann.get(f"/matches/{match['id']}{path}").status_code != 404, path
    bob.post(f"/matches/{match['id']}/commands", {"not": "valid"})
    client.get(f"/m/{match['id']}", headers={"accept-language": "fr"})
    return str(match["id"])


def references_of(app: App) -> Iterator[tuple[str, weakref.ref[Any]]]:
    """Yield weak references to all parts of the running service that allow them."""
    for name, part in vars(app.services).items():
        if type(part).__module__.startswith("service."):
            try:
                yield name, weakref.ref(part)
            except TypeError:
                continue


def remaining(references: list[tuple[str, weakref.ref[Any]]]) -> list[str]:
    """Return the names of the parts that something still refers to."""
    gc.collect()
    return [name for name, reference in references if reference() is not None]


def test_the_application_is_used_again(tmp_path: Path) -> None:
    with borrow_app(settings_of(tmp_path)) as first:
        pass
    with borrow_app(settings_of(tmp_path)) as second, borrow_app(settings_of(tmp_path)) as third:
        assert second is first
        assert third is not second


def test_application_of_a_failed_block_is_not_used_again(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), borrow_app(settings_of(tmp_path)) as failed:
        raise ZeroDivisionError
    with borrow_app(settings_of(tmp_path)) as next_app:
        assert next_app is not failed


def test_nothing_refers_to_the_former_service(tmp_path: Path) -> None:
    with run_service(settings_of(tmp_path)) as client:
        app = client.app
        use(client)
        references = list(references_of(app))
    del client
    assert len(references) > 30
    assert not vars(app.services)
    assert remaining(references) == []


@pytest.mark.parametrize("place", ["application", "state", "route"])
def test_a_planted_reference_is_found(tmp_path: Path, place: str) -> None:
    with run_service(settings_of(tmp_path)) as client:
        app = client.app
        references = list(references_of(app))
        store = app.services.store
        if place == "application":
            app.former_store = store
        elif place == "state":
            app.state.store = store
        else:
            app.routes[0].route_handlers[0].opt["store"] = store
        del store
    del client
    assert "store" in remaining(references)
    app.state.clear()
    app.routes[0].route_handlers[0].opt.pop("store", None)
    vars(app).pop("former_store", None)


def test_the_next_service_has_its_own_data_and_settings(tmp_path: Path) -> None:
    first_settings = settings_of(tmp_path / "first", create_limit=1, metrics_token="secret")
    with run_service(first_settings) as client:
        app = client.app
        app.services.is_draining = True
        app.services.frontend_files = FrontendFiles(tmp_path / "nowhere")
        assert client.get("/health/ready").status_code == 503
        ann = Person(client)
        assert client.post("/api/players", json={"name": "Bob"}).status_code == 429
        assert client.get("/metrics", headers=METRICS).status_code == 200
        former = app.services.frontend_files
    with run_service(settings_of(tmp_path / "second", create_limit=0)) as client:
        assert client.app is app
        assert app.services.frontend_files is not former
        assert client.get("/health/ready").status_code == 200
        assert client.get("/metrics", headers=METRICS).status_code == 404
        assert client.get("/api/players/me", headers=ann.headers).status_code == 401
        client.cookies.clear()
        match = use(client)
    with run_service(settings_of(tmp_path / "third", create_limit=0)) as client:
        assert Person(client).get(f"/matches/{match}").status_code == 404
