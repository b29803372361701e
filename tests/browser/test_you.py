"""Player identity on a phone: CSRF protection, device list, linking a device, recovery."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.inspection import AUDIT
from tests.browser.phone import NO_OVERLAY, SMALL, Phone, fits
from tests.browser.service import Program

pytestmark = pytest.mark.browser


def tap(phone: Phone, target: Locator) -> None:
    """Tap the centre of a node."""
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box is not None
    phone.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def named(phone: Phone, name: str) -> None:
    """Check that the page says the device plays under this name."""
    expect(phone.page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def refused(phone: Phone) -> None:
    """Ignore the errors that Chromium logs for refused requests, which are expected here."""
    line = "Failed to load resource"
    phone.errors[:] = [error for error in phone.errors if not error.startswith(line)]


# --- pages of other sites ---------------------------------------------------------------------


@contextmanager
def other_site(page: str) -> Iterator[int]:
    """Serve a page of another site; yield the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        try:
            yield site.server_port
        finally:
            site.shutdown()
            thread.join(10)


def form(action: str, body: str) -> str:
    """Return a form whose text/plain body is ``body``, which must contain one "="."""
    name, _, value = body.partition("=")
    return (
        f'<form method="post" enctype="text/plain" action="{action}">'
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        '<button style="width:200px;height:80px">A nice picture</button></form>'
    )


def test_a_form_on_another_site_does_not_change_the_identity(browser: Browser, base: str) -> None:
    """Test another site, and another port of the same site, to which cookies are sent."""
    code = Program(base, "Eve").post("/players/link", None, 201)["code"]
    bodies = {
        "/api/players": '{"name": "Eve="}',
        "/api/players/link/claim": f'{{"code": "=", "code": "{code}"}}',
    }
    phone = Program(base, "Ann").phone(browser)
    before = phone.context.cookies(base)
    for path, body in bodies.items():
        with other_site(form(base + path, body)) as port:
            for host in ("localhost", "127.0.0.1"):
                phone.page.goto(f"http://{host}:{port}/")
                tap(phone, phone.page.get_by_role("button"))
                phone.page.wait_for_url(base + path)
                expect(phone.page.locator("body")).to_contain_text("foreign_origin")
                assert phone.context.cookies(base) == before, (host, path)
    phone.page.goto("/you")
    named(phone, "Ann")
    refused(phone)
    phone.close()


def test_a_script_on_another_site_cannot_either(browser: Browser, base: str) -> None:
    """A blob has no content type, and no-cors requests have no preflight."""
    phone = Program(base, "Ann").phone(browser)
    before = phone.context.cookies(base)
    with other_site("<p>hello") as port:
        phone.page.goto(f"http://localhost:{port}/")
        phone.page.evaluate(
            """address => fetch(address, {
              method: "POST", mode: "no-cors", credentials: "include",
              body: new Blob(['{"name": "Eve"}']),
            })""",
            f"{base}/api/players",
        )
    assert phone.context.cookies(base) == before
    refused(phone)
    phone.close()


# --- the page ---------------------------------------------------------------------------------


def test_a_lost_identity_is_got_back_with_the_code(browser: Browser, base: str) -> None:
    old = Program(base, "Ann").phone(browser)
    old.page.goto("/")
    tap(old, old.page.get_by_role("link", name="You", exact=True))
    named(old, "Ann")
    tap(old, old.page.get_by_role("button", name="Get recovery code"))
    code = old.page.locator(".link.code").inner_text()
    assert re.fullmatch(r"(\w{5}-){3}\w{5}", code)
    old.page.reload()
    named(old, "Ann")
    assert code not in old.page.content(), "it is shown once"
    expect(old.page.get_by_role("button", name="New recovery code")).to_be_visible()
    old.close()

    new = Phone(browser, base)
    new.page.goto("/you")
    new.page.get_by_label("Recovery code").fill("wrong")
    tap(new, new.page.get_by_role("button", name="Use code"))
    expect(new.page.get_by_role("alert")).to_contain_text("Unknown recovery code")
    new.page.get_by_label("Recovery code").fill(code.lower().replace("-", " "))
    tap(new, new.page.get_by_role("button", name="Use code"))
    named(new, "Ann")
    refused(new)
    new.close()


def test_a_device_link_asks_before_changing_the_identity(browser: Browser, base: str) -> None:
    link = Program(base, "Bob").post("/players/link", None, 201)["code"]
    phone = Program(base, "Ann").phone(browser)
    page = phone.page
    for answer, name in (("Stay as Ann", "Ann"), ("Switch to Bob", "Bob")):
        page.goto("/new")
        page.goto(f"/#link={link}")
        question = page.get_by_role("dialog", name="Switch to Bob?")
        expect(question).to_contain_text("This device will then play as Bob, not Ann.")
        assert link not in page.url
        tap(phone, question.get_by_role("button", name=answer))
        expect(question).to_have_count(0)
        page.wait_for_function(NO_OVERLAY)  # its history entry is removed too
        if name == "Bob":
            expect(page.get_by_text("You’re now Bob on this device.")).to_be_visible()
        page.goto("/you")
        named(phone, name)
    refused(phone)
    phone.close()


def test_a_device_without_its_name_keeps_its_identity(browser: Browser, base: str) -> None:
    """localStorage is lost but the cookie is not: a new name must not replace the cookie."""
    ann = Program(base, "Ann")
    phone = Phone(browser, base)
    cookie = {"name": "player", "value": ann.token, "url": base}
    phone.context.add_cookies([cookie])  # type: ignore[list-item]
    phone.open_table(["Zoe"], round_one_phone=False)
    phone.page.goto("/you")
    named(phone, "Ann")
    assert len(ann.get("/matches?scope=mine")["items"]) == 1
    phone.close()


def test_devices_are_signed_out(browser: Browser, base: str) -> None:
    ann = Program(base, "Ann")
    here = ann.phone(browser)
    lost = [Phone(browser, base) for _ in range(2)]
    for phone in lost:
        phone.page.goto(f"/#link={ann.post('/players/link', None, 201)['code']}")
        expect(phone.page.get_by_text("You’re now Ann on this device.")).to_be_visible()
    page = here.page
    page.goto("/you")
    lines = page.locator(".seat-line")
    expect(lines).to_have_count(3)
    expect(lines.filter(has_text="this device")).to_have_count(1)
    expect(lines.filter(has_text="Chromium on Linux")).to_have_count(2)
    tap(here, lines.filter(has_text="Chromium on Linux").first.get_by_role("button"))
    expect(lines).to_have_count(2)
    tap(here, lines.filter(has_text="this device").get_by_role("button"))
    question = page.get_by_role("dialog", name="Sign out here?")
    tap(here, question.get_by_role("button", name="Stay as Ann"))
    expect(question).to_have_count(0)
    tap(here, lines.filter(has_text="this device").get_by_role("button"))
    tap(here, question.get_by_role("button", name="Sign out"))
    expect(page.get_by_text("You’re not signed in on this device.")).to_be_visible()
    assert here.context.cookies(base) == []
    # The signed-out device says so and starts afresh.
    states = []
    for phone in lost:
        phone.page.wait_for_timeout(2_100)
        phone.page.goto("/you")
        phone.page.wait_for_selector("h2")
        states.append(phone.page.get_by_text("You’re not signed in on this device.").count())
        refused(phone)
    assert sorted(states) == [0, 1]
    for phone in (here, *lost):
        phone.close()


def test_section_that_cannot_be_loaded_says_so_beside_the_others(
    browser: Browser, base: str
) -> None:
    phone = Program(base, "Ann").phone(browser)
    page = phone.page
    problem = {"code": "failed", "detail": "The list is broken."}
    page.route("**/me/people", lambda route: route.fulfill(status=500, json=problem))
    page.goto("/you")
    page.get_by_role("button", name="Show history").tap()
    expect(page.get_by_role("alert").filter(has_text="The list is broken.")).to_be_visible()
    expect(page.get_by_role("button", name="Create link")).to_be_visible()
    refused(phone)
    phone.close()


def test_what_a_lost_device_made_ends_with_it_and_is_offered_anew(
    browser: Browser, base: str
) -> None:
    """Sign-out revokes the device's recovery code and calendar, and asks about what it linked."""
    ann = Program(base, "Ann")
    lost, linked = (Phone(browser, base) for _ in range(2))
    lost.page.goto(f"/#link={ann.post('/players/link', None, 201)['code']}")
    expect(lost.page.get_by_text("You’re now Ann on this device.")).to_be_visible()
    cookie = next(each for each in lost.context.cookies(base) if each["name"] == "player")
    thief = Program(base, "Thief")
    thief._http.headers["Authorization"] = f"Bearer {cookie['value']}"
    linked.page.goto(f"/#link={thief.post('/players/link', None, 201)['code']}")
    expect(linked.page.get_by_text("You’re now Ann on this device.")).to_be_visible()
    thief.post("/players/recovery", None, 201)
    thief.post("/players/me/calendar", None, 201)

    here = ann.phone(browser, SMALL)
    page = here.page
    page.goto("/you")
    listed = ann.get("/players/devices")
    stolen = next(maker for maker in listed["linked_by"].values() if maker in listed["linked_by"])
    place = [each["id"] for each in listed["items"]].index(stolen)
    tap(here, page.locator(".seat-line").nth(place).get_by_role("button", name="Sign out"))
    question = page.get_by_role("dialog", name="Also sign out the linked device?")
    expect(question).to_contain_text("Chromium on Linux")
    assert fits(page)
    tap(here, question.get_by_role("button", name="Sign out"))
    expect(page.locator(".seat-line")).to_have_count(1)
    # The second answer does not list what the first call revoked; the page still shows it.
    code = page.get_by_role("button", name="New recovery code")
    address = page.get_by_role("button", name="Create new calendar link")
    expect(code).to_be_visible()
    expect(address).to_be_visible()
    assert fits(page)
    tap(here, code)
    expect(page.get_by_text("Your recovery code")).to_be_visible()
    tap(here, address)
    expect(page.get_by_text("Your calendar link")).to_be_visible()
    assert ann.get("/players/devices")["recovery_code"] is not None
    for phone in (here, lost, linked):
        refused(phone)
        phone.close()


@pytest.mark.parametrize("size", [None, SMALL], ids=["phone", "small"])
def test_the_page_fits_eyes_and_thumbs(
    browser: Browser, base: str, size: dict[str, int] | None
) -> None:
    ann = Program(base, "Ann with the longest name one can have")
    phone = ann.phone(browser, size)
    nobody = Phone(browser, base, size)
    for each in (phone, nobody):
        each.page.goto("/you")
        each.page.wait_for_selector("#code")
        assert fits(each.page)
        assert each.page.evaluate(AUDIT) == {"small": [], "fine": []}
    tap(phone, phone.page.get_by_role("button", name="Get recovery code"))
    phone.page.wait_for_selector(".link.code")
    assert fits(phone.page)
    tap(phone, phone.page.locator(".seat-line").get_by_role("button").first)
    phone.page.wait_for_selector("dialog[open]")
    assert phone.page.evaluate(AUDIT) == {"small": [], "fine": []}
    phone.close()
    nobody.close()
