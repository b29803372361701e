"""You: who this device plays as, where else you are, and the way back when all is lost."""

from typing import Any

from _native import day_in_words, fill, go

from frontend.app import houses, net, people, room
from frontend.app.becoming import Question, become, gone
from frontend.app.dom import button, el, show, toast
from frontend.app.net import Problem
from frontend.app.senses import sound_switch
from frontend.app.sharing import copy_button
from frontend.app.typed import Data, DomEvent, Node, Went
from frontend.app.vacation import vacation
from frontend.app.words import sentences, t


def _told(problem: Problem) -> None:
    toast(problem.detail)


def _this_phone() -> Node:
    """What the device does at a table."""
    return el("section", {"class": "card"}, el("h2", {}, t("At a table")), sound_switch())


def _company() -> Node:
    """How one did and with whom; its part of the code comes when somebody asks for it."""
    card = el("section", {"class": "card company"})

    def come() -> None:
        from frontend.app.company import Company

        Company(card)

    def ask(event: DomEvent) -> None:
        event.currentTarget.disabled = True
        houses.load_guides("company", come)

    words = t("How you did, whom you have sat with, your deadlines as a calendar.")
    label = t("My games and people")
    fill(card, el("h2", {}, t("Games and people")), el("p", {}, words), button(label, ask))
    return card


def _be_told() -> Node:
    """How one is told what happens; its part of the code comes when somebody asks for it."""
    words = t("While the app is closed: on this device, by mail or in a chat.")
    card = el("section", {"class": "card"})

    def come() -> None:
        from frontend.app.notices import Notices

        Notices(card)

    def ask(event: DomEvent) -> None:
        event.currentTarget.disabled = True
        houses.load_guides("notices", come)

    label = t("Tell me when it is my turn")
    fill(card, el("h2", {}, t("Be told")), el("p", {}, words), button(label, ask))
    return card


class YouPage:
    """The page."""

    def __init__(self, visit: Went) -> None:
        self.visit = visit
        self.closed = False
        self.page = el("main", {"class": "page"}, room.top(t("You")))
        self.page.append(el("div", {"class": "skeleton", "style": "min-height:30vh"}))
        show(self.page)
        people.find(self._load)

    def close(self) -> None:
        """The page is left."""
        self.closed = True

    def _load(self) -> None:
        if people.me["known"]:
            net.get("/api/players/devices", self._show, self._lost)
        else:
            self._nobody()

    def _lost(self, problem: Problem) -> None:
        if problem.status == 401:
            people.forget()
            self._nobody()
        elif not self.closed:
            toast(problem.detail)

    def _nobody(self) -> None:
        if self.closed:
            return
        words = t("This device is nobody yet. Open a table or sit down at one: a name is enough.")
        fill(
            self.page,
            room.top(t("You")),
            el("section", {"class": "card"}, el("p", {}, words)),
            self._way_back(t("Lost your device?")),
            _this_phone(),
        )

    def _show(self, data: Data) -> None:
        if self.closed:
            return
        fill(
            self.page,
            room.top(t("You")),
            el(
                "section",
                {"class": "card"},
                el("h2", {}, people.my_name()),
                el("p", {"class": "muted"}, t("So this device is called at new tables.")),
            ),
            self._keep(data["recovery_code"]),
            self._devices(data["items"]),
            _company(),
            _be_told(),
            vacation(),
            self._way_back(t("Somebody else?")),
            _this_phone(),
        )

    # --- devices ------------------------------------------------------------------------------

    def _devices(self, devices: list[Data]) -> Node:
        others = [each for each in devices if not each["this"]]
        lines = [self._device(each) for each in devices]
        parts = [el("h2", {}, t("Your devices")), el("div", {}, lines)]
        if len(others) > 1:
            parts.append(button(t("Sign out all others"), lambda _e: self._sign_out_others()))
        return el("section", {"class": "card"}, parts)

    def _device(self, device: Data) -> Node:
        seen = device["last_seen"]
        words = t("last here {day}", day=day_in_words(seen)) if seen else t("not here of late")
        if device["this"]:
            words = t("this device")
        return el(
            "div",
            {"class": "seat-line"},
            el(
                "span",
                {"class": "name"},
                device["name"],
                el("br", {}),
                el(
                    "small",
                    {"class": "muted"},
                    t("{words}, since {day}", words=words, day=day_in_words(device["created"])),
                ),
            ),
            button(
                t("Sign out"),
                lambda _e: self._sign_out(device),
                **{"aria-label": t("Sign out {name}, {words}", name=device["name"], words=words)},
            ),
        )

    def _sign_out(self, device: Data) -> None:
        path = f"/api/players/devices/{device['id']}"
        if not device["this"]:
            net.call("DELETE", path, None, self._signed_out, _told)
            return

        def left(_data: Any) -> None:
            people.forget()
            toast(t("Signed out."))
            self._nobody()

        name = people.my_name()
        Question(
            t("Sign out here?"),
            [t("This device no longer plays as {name}.", name=name), gone(name)],
            t("Sign out"),
            t("Stay {name}", name=name),
            lambda: net.call("DELETE", path, None, left, _told),
        )

    def _sign_out_others(self) -> None:
        net.call("DELETE", "/api/players/devices", None, self._signed_out, _told)

    def _signed_out(self, data: Data) -> None:
        toast(t("Signed out there."))
        self._show(data)

    # --- the recovery code --------------------------------------------------------------------

    def _keep(self, made: Any) -> Node:
        card = el("section", {"class": "card"})
        words = t(
            "There is no account: only your devices know you. With a recovery code you become "
            "yourself again when they are lost."
        )
        if made:
            again = t("You made one on {day}; a new one takes its place.", day=day_in_words(made))
            words = sentences([words, again])

        def ask(event: DomEvent) -> None:
            event.currentTarget.disabled = True
            net.call("POST", "/api/players/recovery", None, shown, _told)

        def shown(data: Data) -> None:
            fill(
                card,
                el("h2", {}, t("Your recovery code")),
                el("div", {"class": "link code", "tabindex": "0"}, data["code"]),
                el(
                    "p",
                    {"role": "status"},
                    t("Write it down: it is shown only now. It works until you make a new one."),
                ),
                el("div", {"class": "row"}, copy_button(data["code"])),
            )

        label = t("Make a new recovery code") if made else t("Show a recovery code")
        fill(card, el("h2", {}, t("Keep your identity")), el("p", {}, words), button(label, ask))
        return card

    def _way_back(self, title: str) -> Node:
        field = el(
            "input",
            {
                "type": "text",
                "id": "code",
                "maxlength": 60,
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
            },
        )
        said = el("p", {"class": "problem", "role": "alert"})

        def failed(problem: Problem) -> None:
            fill(said, problem.detail)
            field.focus()

        def enter(event: DomEvent) -> None:
            event.preventDefault()
            code = str(field.value).strip()
            fill(said)
            if code:
                become("/api/players/recover", code, self._again, failed)
            else:
                field.focus()

        return el(
            "section",
            {"class": "card"},
            el("h2", {}, title),
            el(
                "form",
                {"class": "stack", "onsubmit": enter},
                el("label", {"for": "code"}, t("Recovery code")),
                field,
                said,
                el("button", {"type": "submit", "class": "button"}, t("Enter the code")),
            ),
        )

    def _again(self) -> None:
        go("/you", True)
        self.visit(None)
