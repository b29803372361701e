"""Installation as an app: manifest, shared files, badge, wake lock, sound."""

import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.browser.phone import Phone, expect_turn, until_kept
from tests.browser.service import Program, table

pytestmark = pytest.mark.browser
KEPT = Path(__file__).parents[1] / "recorded_matches" / "caravanserai-2-expert-v1.json"
# Stubs of APIs that headless Chromium lacks and a phone has.
DEVICE = """
window.felt = []
window.badges = []
window.locks = 0
navigator.vibrate = (what) => { window.felt.push(what) }
navigator.setAppBadge = async (count) => { window.badges.push(count) }
navigator.clearAppBadge = async () => { window.badges.push(0) }
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
  window.locks += 1
  return { release: async () => { window.locks -= 1 } }
} } })
"""
OFFER = """
window.asked = 0
dispatchEvent(Object.assign(new Event("beforeinstallprompt"), {
  prompt: () => { window.asked += 1 },
  userChoice: new Promise((choose) => { window.choose = () => choose({ outcome: "dismissed" }) }),
}))
"""
SHARE = """(text) => {
  const form = Object.assign(document.createElement("form"), {
    method: "POST", action: "/open-file", enctype: "multipart/form-data" })
  const field = Object.assign(document.createElement("input"), { type: "file", name: "file" })
  const files = new DataTransfer()
  files.items.add(new File([text], "match.json", { type: "application/json" }))
  field.files = files.files
  form.append(field)
  document.body.append(form)
  form.submit()
}"""


def test_the_manifest_makes_it_installable(browser: Browser, base: str) -> None:
    page = browser.new_page()
    manifest = page.request.get(base + "/manifest.webmanifest").json()
    assert (manifest["id"], manifest["display"]) == ("/", "standalone")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    assert {"maskable", "monochrome"} <= {icon.get("purpose") for icon in manifest["icons"]}
    assert {shot["form_factor"] for shot in manifest["screenshots"]} == {"narrow", "wide"}
    for picture in [*manifest["icons"], *manifest["screenshots"]]:
        answer = page.request.get(base + picture["src"])
        assert answer.ok
        assert answer.headers["content-type"].startswith(picture["type"])
    for shot in manifest["screenshots"]:
        size = Image.open(BytesIO(page.request.get(base + shot["src"]).body())).size
        assert shot["sizes"] == f"{size[0]}x{size[1]}"
    session = page.context.new_cdp_session(page)
    page.goto(base + "/")
    assert session.send("Page.getAppManifest")["errors"] == []
    page.close()


@pytest.mark.usefixtures("service_worker")
def test_a_match_file_shared_with_the_app_is_opened(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    page = phone.page
    page.goto("/")
    until_kept(page)
    page.evaluate(SHARE, KEPT.read_text())
    page.wait_for_url("**/review")
    expect(page.locator(".place")).to_have_count(2)
    page.goto("/?shared")
    page.wait_for_selector(".table-card")  # it is opened once
    assert page.url == base + "/"
    phone.close()


def test_a_waiting_match_vibrates_and_sets_the_badge(browser: Browser, base: str) -> None:
    (ann, bob), match_id = table(base, "Ann", "Bob")
    phone = bob.phone(browser)
    page = phone.page
    page.add_init_script(DEVICE)
    page.goto("/settings")
    page.get_by_role("switch", name="Sound").check()
    page.get_by_role("switch", name="Vibration").check()
    assert page.evaluate("window.felt.length") == 1
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game")
    assert page.evaluate("[window.felt.length, window.locks]") == [0, 0]
    turn_of(ann, match_id, 0)
    expect_turn(phone)
    page.wait_for_function("window.locks === 1 && window.felt.length > 0")
    assert page.evaluate("window.felt.at(-1)") == [40, 60, 40]
    assert page.evaluate("window.badges.at(-1)") == 1
    page.get_by_role("link", name="Home").click()
    page.wait_for_function("window.locks === 0")
    page.goto("/?turn")
    page.wait_for_url(f"**/m/{match_id}")
    turn_of(bob, match_id, 1)
    page.wait_for_function("window.badges.at(-1) === 0")
    phone.close()


def test_the_title_counts_where_there_is_no_badge(browser: Browser, base: str) -> None:
    """So it is in Firefox, and in a tab of any browser."""
    (ann, bob), match_id = table(base, "Ann", "Bob")
    phone = bob.phone(browser)
    page = phone.page
    page.add_init_script("delete Navigator.prototype.setAppBadge")
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game")
    expect(page).to_have_title(re.compile("^Ann to play – "))
    turn_of(ann, match_id, 0)
    expect(page).to_have_title(re.compile(r"^\(1\) ● Your turn · "))
    page.get_by_role("link", name="Home").click()
    expect(page).to_have_title("(1) Caravanserai")
    turn_of(bob, match_id, 1)
    page.reload()
    expect(page).to_have_title("Caravanserai")
    phone.close()


def turn_of(player: Program, match_id: str, seat: int) -> None:
    """Plays until it is another's turn."""
    match: Any = player.get(f"/matches/{match_id}")
    while match["to_act"] == [seat]:
        choices = player.get(f"/matches/{match_id}/choices?seat={seat}")["choices"]
        wish = {"seat": seat, "expected_version": match["version"]}
        body = {**wish, "commands": [choices[0]["command"]]}
        match = player.post(f"/matches/{match_id}/commands", body)["match"]


def test_who_comes_again_is_told_how_to_install_once(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    page = phone.page
    hint = page.locator(".install")
    for visit in range(3):
        page.goto("/")
        page.wait_for_selector(".tables[aria-busy=false]")
        page.evaluate(OFFER)
        expect(hint).to_be_visible() if visit == 2 else expect(hint).to_be_hidden()
    install = page.get_by_role("button", name="Install")
    install.click()
    page.wait_for_function("window.asked === 1")
    expect(install).to_be_disabled()  # while the browser asks
    page.evaluate("window.choose()")
    expect(hint).to_have_count(0)
    page.reload()
    page.wait_for_selector(".tables[aria-busy=false]")
    page.evaluate(OFFER)
    expect(hint).to_be_hidden()
    assert json.loads(page.evaluate("JSON.stringify(localStorage)"))["install-hint"] == "seen"
    phone.close()
