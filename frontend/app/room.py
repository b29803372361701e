"""The waiting room: who sits where, the link and the QR code for the others."""

from _native import offer, origin, secure

from frontend.app.dom import button, el, picture, show, toast


def top(words):
    """The bar of a plain page."""
    back = el(
        "a",
        {"class": "button round quiet", "href": "/", "aria-label": "All tables"},
        picture("i-back", 22),
    )
    return el("header", {"class": "bar"}, back, el("h1", {}, words))


def message(title, words):
    """A page that says one thing."""
    home = el("a", {"class": "button primary", "href": "/"}, "All tables")
    card = el("div", {"class": "card"}, el("p", {}, words), home)
    return el("main", {"class": "page"}, top(title), card)


def medal(seat):
    """A camel in a seat's colour."""
    style = f"color:var(--seat-{seat})"
    return el("span", {"class": "medal", "style": style}, picture("camel", 40))


def waiting(table):
    """The page of a match that still has open seats."""
    data = table.match.data
    open_seats = [seat for seat in data["seats"] if seat["kind"] == "open"]
    lines = [_seat(seat) for seat in data["seats"]]
    count = len(open_seats)
    words = "One seat is open." if count == 1 else f"{count} seats are open."
    page = el(
        "main",
        {"class": "page"},
        top("Waiting for the others"),
        el("section", {"class": "card"}, el("p", {"role": "status"}, words), el("div", {}, lines)),
    )
    if "invite" in data:
        page.append(_invitation(table, data["invite"]))
    elif not table.match.held():
        link = f"/join/{table.id}" + (f"?invite={table.invite}" if table.invite else "")
        page.append(el("a", {"class": "button primary", "href": link}, "Sit down"))
    show(page)


def _seat(seat):
    said = {"open": "open", "bot": "a bot"}.get(seat["kind"], "you" if seat["you"] else "is here")
    name = seat["name"] or f"Seat {seat['seat'] + 1}"
    return el(
        "div",
        {"class": "seat-line"},
        medal(seat["seat"]),
        el("span", {"class": "name"}, name),
        el("span", {"class": "tag" + (" now" if seat["kind"] == "open" else "")}, said),
    )


def _invitation(table, invite):
    link = f"{origin()}/join/{table.id}?invite={invite}"

    def copied(done):
        toast("The link is copied." if done else "Mark the link and copy it.")

    parts = [
        el("h2", {}, "Invite them"),
        el("p", {}, "Let them scan this with their phone, or send them the link."),
        el(
            "div",
            {"class": "qr"},
            el(
                "img",
                {"src": f"/api/matches/{table.id}/invite.svg", "alt": "QR code of the invitation"},
            ),
        ),
        el("div", {"class": "link", "tabindex": "0"}, link),
        el(
            "div",
            {"class": "row"},
            button(
                "Share", lambda _e: offer("share", link, "Caravanserai", copied), "primary grow"
            ),
            button("Copy the link", lambda _e: offer("copy", link, "", copied), "grow"),
        ),
    ]
    if not secure():
        parts.append(
            el(
                "p",
                {"class": "muted"},
                "This address is plain http: playing works, but phones will not install the app "
                "or open it without a network.",
            )
        )
    return el("section", {"class": "card"}, parts)
