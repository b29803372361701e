"""The hex game's screen: the board, the block under construction, reserves, the moves."""

from _native import fill, listen, patch

from domain.caravanserai import rules
from domain.caravanserai.events import COLOURS, SetGood, StartAt, TakeFrom
from domain.caravanserai.placement import omission
from domain.game import say
from frontend.app import laying
from frontend.app.dom import announce, button, el, picture
from frontend.app.hexboard import HexBoard
from frontend.app.stage import Stage

RULES = rules
TEXT = rules.TEXT
BOARD_LABEL = "The board. Arrow keys go to the cells that can be tapped, Enter taps."
TOUCH = 46  # pixels a cell is wide at least when it is to be tapped
KIND_NAMES = {"camel": "Place the camel", "lying": "Lay a camel down"}
WHY = {
    "match": "Omitted: crosses its own colour",
    "plain": "Counts: crosses nothing",
    "other": "Counts: crosses another colour",
    "mixed": "Counts: crosses two colours",
    "returned": "Counts: a good went back",
}
PROMPTS = {
    "start": "choose a start",
    "place": "lay a block or the camel",
    "set": "set a good on the board",
}


def turns_in_round(seats):
    """A round is a turn of each seat."""
    return seats


class Screen:
    """Shows one moment at a time; ``host.play(command)`` carries a move out."""

    def __init__(self, host):
        self.host = host
        self.stage = Stage(BOARD_LABEL, self._tap_at)
        self.board = HexBoard(self.stage.svg)
        self.node = self.stage.node
        self.tray = el("div", {"class": "tray"})
        self.table = el("table", {"class": "reserves"})
        self.panel = self.tray
        self.aside = self.table
        self.kind = None
        self.path = ()
        self.now = None
        self.found = []
        self.targets = {}
        self.framed = None
        self.turn = None
        self.cursor = None
        self.rows = {}
        self.listed = []
        listen(self.stage.svg, "keydown", self._key)

    # -- a moment ------------------------------------------------------------------------------

    def prompt(self, now):
        """What the seat to act has to do, in a few words."""
        step = now.view["step"]
        if step == "take":
            return f"who gives a {now.view['missing']} good?"
        if step == "set" and now.view["to_set"] > 1:
            return f"set {now.view['to_set']} goods on the board"
        return PROMPTS.get(step, "The game is over")

    def label(self, choice):
        """A choice in words."""
        return say(TEXT, choice.key, choice.args, self.host.names())

    def draw(self, now):
        """Shows a moment; forgets what was tapped when it is another one."""
        if self.now is None or now.state is not self.now.state or now.seat != self.now.seat:
            self.kind = None
            self.path = ()
            self.cursor = None
        self.now = now
        view = now.view
        bounds = self.board.lay(view["cells"], view["tile_of"])
        if bounds != self.stage.bounds:
            self.stage.span(bounds)
            self.stage.look(bounds, glide=False)
        self.board.stand(view["standing"])
        self._draw_caravans(now)
        self._draw_moves()
        self._draw_table(view)
        self._frame()

    def _draw_caravans(self, now):
        view = now.view
        placement = view["placement"]
        pieces = [player["caravan"] for player in view["players"]]
        fresh = leaving = 0
        owner = None
        if placement is not None:
            owner = placement["seat"]
            fresh = len(placement["cells"])
            leaving = len(placement["gives_back"]) if fresh else 0
            if now.hide:
                pieces[owner] = pieces[owner][: len(pieces[owner]) - now.hide]
                fresh = max(0, fresh - now.hide)
        self.board.caravans(pieces, fresh, leaving, owner)

    # -- what can be tapped --------------------------------------------------------------------

    def _draw_moves(self):
        now = self.now
        self.targets = {}
        self.found = []
        near, far = set(), set()
        if now.seat is not None and now.live:
            commands = [choice.command for choice in now.choices]
            self.found = laying.candidates(commands)
            if self.found:
                left = laying.narrowed(self.found, self.kind, self.path)
                near = laying.next_cells(left, self.path)
                far = laying.far_cells(left, self.path) if self.kind else set()
            else:
                self.targets = {
                    command.cell: command
                    for command in commands
                    if type(command) in (StartAt, SetGood)
                }
                near = set(self.targets)
        self.near, self.far = near, far
        self.board.legal(sorted(near), sorted(far), self.path, self.kind)
        self.board.cursor(self.cursor)
        fill(self.tray, *self._tray())

    def _tap_at(self, x, y):
        wanted = self.near | self.far | set(self.path)
        width, _ = self.stage.shape()
        reach = max(30, 26 * self.stage.camera[2] // width)
        best, distance = None, reach * reach
        for cell in wanted:
            cx, cy = self.board.at[cell]
            gap = (cx - x) * (cx - x) + (cy - y) * (cy - y)
            if gap < distance:
                best, distance = cell, gap
        if best is not None:
            self._tap(best)

    def _tap(self, cell):
        if cell in self.targets:
            self.host.play(self.targets[cell])
            return
        path = laying.tapped(laying.narrowed(self.found, self.kind, ()), self.path, cell)
        if path is None:
            return
        self.path = path
        if self.kind is None and path:
            kinds = laying.kinds(laying.narrowed(self.found, None, path))
            if len(kinds) == 1:
                self.kind = kinds.pop()
        self._chosen()

    def _pick(self, kind):
        self.kind = None if self.kind == kind else kind
        if self.kind and not laying.narrowed(self.found, self.kind, self.path):
            self.path = ()
        left = laying.narrowed(self.found, self.kind, self.path)
        if self.kind and len(left) == 1:
            self.path = left[0][1]
        self._chosen()

    def _chosen(self):
        """Lays what is settled, or shows what can be chosen next."""
        move = laying.settled(self.found, self.kind, self.path)
        if move is not None:
            self.host.play(move[3])
            return
        self._draw_moves()
        left = len(laying.narrowed(self.found, self.kind, self.path))
        announce(f"{left} moves are possible")

    def _key(self, event):
        """Arrow keys go from cell to cell among those that can be tapped; Enter taps."""
        ways = {"ArrowRight": (1, 0), "ArrowLeft": (-1, 0), "ArrowDown": (0, 1), "ArrowUp": (0, -1)}
        cells = sorted(self.near | self.far | set(self.path))
        if not cells or self.now.seat is None:
            return
        if event.key in ("Enter", " ") and self.cursor in cells:
            event.preventDefault()
            self._tap(self.cursor)
        elif event.key in ways:
            event.preventDefault()
            event.stopPropagation()
            dx, dy = ways[event.key]
            x, y = self.board.at[cells[0] if self.cursor is None else self.cursor]
            best, cost = None, None
            for cell in cells:
                cx, cy = self.board.at[cell]
                ahead = (cx - x) * dx + (cy - y) * dy
                aside = abs((cx - x) * dy) + abs((cy - y) * dx)
                if (ahead > 0 or self.cursor is None) and (
                    cost is None or ahead + 2 * aside < cost
                ):
                    best, cost = cell, ahead + 2 * aside
            if best is not None:
                self.cursor = best
                self.board.cursor(best)
                colour = self.now.view["cells"][best][2] or "sand"
                announce(f"{self.now.view['names'][best]}, {colour}")

    # -- the tray ------------------------------------------------------------------------------

    def _tray(self):
        now = self.now
        placement = now.view["placement"]
        parts = []
        if placement is not None and (now.seat is not None or placement["blocks"]):
            parts.append(self._summary(placement))
        if now.seat is None or not now.live:
            return parts
        givers = [c for c in now.choices if type(c.command) is TakeFrom]
        if now.view["step"] == "set":
            words = "Tap a marked caravanserai: a good of its colour goes there from the market."
            parts = [el("div", {"class": "sum"}, words), *parts]
        if givers:
            parts.append(el("div", {"class": "row"}, [self._giver(choice) for choice in givers]))
        elif self.found:
            parts = [*self._building(placement), *parts]
        return parts

    def _giver(self, choice):
        seat = choice.command.whom
        name = self.host.names()[seat]
        return button(
            f"Take from {name}",
            lambda _e: self.host.play(choice.command),
            "grow",
            style=f"--tone:var(--seat-{seat});border-color:var(--tone)",
        )

    def _building(self, placement):
        """Kinds to choose from, then the block as it grows."""
        now = self.now
        player = now.view["players"][now.seat]
        possible = laying.kinds(laying.narrowed(self.found, None, self.path))
        anywhere = laying.kinds(self.found)
        row = el("div", {"class": "kinds", "role": "group", "aria-label": "What to lay"})
        for colour in COLOURS:
            row.append(self._kind(colour, player["goods"][colour], possible, anywhere))
        if now.view["expert"]:
            row.append(self._kind("lying", None, possible, anywhere))
        row.append(self._kind("camel", player["camels"], possible, anywhere))
        return [row, *self._block(placement)]

    def _kind(self, kind, count, possible, anywhere):
        name = KIND_NAMES.get(kind) or f"{kind}, {count} in reserve"
        sign = kind if kind in ("camel", "lying") else "good-" + kind
        usable = kind in possible or (kind in anywhere and not self.path)
        attributes = {
            "type": "button",
            "class": "kind",
            "aria-pressed": "true" if self.kind == kind else "false",
            "aria-label": name,
            "disabled": not usable,
            "style": f"color:var(--seat-{self.now.seat})" if sign == kind else None,
            "onclick": lambda _e: self._pick(kind),
        }
        under = "lie" if kind == "lying" else str(count)
        word = el("span", {"style": "color:var(--ink)"}, under)
        return el("button", attributes, picture(sign), word)

    def _block(self, placement):
        """The block so far of its size, what the count will make of it, ways to finish it."""
        sizes = placement["sizes"]
        kind, path = self.kind, self.path
        if kind in KIND_NAMES:
            words = KIND_NAMES[kind] + ("" if path else ": tap a marked cell")
            sign = picture(kind, 28, style=self._ink(self.now.seat))
            return [el("div", {"class": "sum block-now"}, sign, el("span", {}, words))]
        said = " or ".join([str(each) for each in sizes])
        whole = laying.complete(self.found, kind, path) if kind and path else []
        if kind is None:
            words = f"Block of {said}: " + ("choose a colour" if path else "tap a cell or a colour")
        elif not path:
            words = f"Block of {said}: tap where it goes"
        elif whole:
            words = f"{len(path)} of {said}. " + self._why(whole[0])
        else:
            words = f"{len(path)} of {said}: tap on"
        slots = [
            picture("good-" + kind)
            if kind and number < len(path)
            else el("span", {"class": "slot"})
            for number in range(sizes[-1])
        ]
        beads = el("span", {"class": "beads", "style": "gap:4px"}, slots)
        line = el("div", {"class": "sum block-now"}, beads, el("span", {}, words))
        if len(whole) == 1:
            line.append(self._lay_button(whole[0], f"Lay {len(path)}"))
            return [line]
        if not whole:
            return [line]
        row = el("div", {"class": "row"}, [self._variant(move) for move in whole])
        return [line, row]

    def _why(self, move):
        """Whether the block will be omitted from the count, and why."""
        colour, path, declined, _ = move
        state = self.now.state
        colours = state.board.colours
        returned = [
            cell
            for cell in path
            if cell in state.standing and (colours[cell] != colour or cell in declined)
        ]
        return WHY[omission(state.board, colour, path, returned)]

    def _lay_button(self, move, words):
        return button(
            words,
            lambda _e: self.host.play(move[3]),
            "primary",
            **{"aria-label": f"Lay {len(move[1])} {move[0]}"},
        )

    def _variant(self, move):
        """One way to lay the block where standing goods of its colour may be used or left."""
        names = self.now.state.board.names
        if move[2]:
            words = "Send back " + " ".join([names[cell] for cell in move[2]])
        else:
            words = "Use what stands there"
        small = el("small", {"style": "display:block;font-weight:400"}, self._why(move))
        node = button(words, lambda _e: self.host.play(move[3]), "grow")
        node.lastChild.append(small)
        return node

    def _summary(self, placement):
        """Blocks laid, the count, and what the tail gives back."""
        chips = el("div", {"class": "blocks"})
        for block in placement["blocks"]:
            chips.append(self._chip(block))
        if not placement["blocks"]:
            return []
        words = f"{placement['pieces']} laid"
        if placement["omitted"]:
            words += f" − {placement['omitted']} omitted"
        if not placement["closed"]:
            words += " + camel"
        words += f" = {placement['count_with_camel']} back"
        beads = [
            picture("good-" + kind)
            if kind in COLOURS
            else picture(kind, style=self._ink(placement["seat"]))
            for _, _, kind in placement["gives_back"]
        ]
        line = el("div", {"class": "sum"}, words, el("span", {"class": "beads"}, beads))
        return [chips, line]

    def _ink(self, seat):
        return f"color:var(--seat-{seat})"

    def _chip(self, block):
        kind = block["kind"]
        if kind not in COLOURS:
            word = "lying camel, counts" if kind == "lying" else "camel, counts"
            return el("div", {"class": "block"}, picture(kind), word)
        beads = [picture("good-" + kind) for _ in range(block["size"])]
        why = WHY[block["why"]]
        return el(
            "div",
            {
                "class": "block omitted" if block["omitted"] else "block",
                "title": TEXT["why-" + block["why"]],
            },
            el("span", {"class": "beads"}, beads),
            el("span", {}, why),
        )

    # -- reserves ------------------------------------------------------------------------------

    def _draw_table(self, view):
        """Rows of the market and the players; a row that is as it was stays."""
        market = (None, False, {"goods": view["market"]})
        rows = [self._row("market", market, lambda: self._market_row(view))]
        for player in view["players"]:
            seat = player["seat"]
            if self.found and seat == self.now.seat:
                continue  # the tray shows it, larger
            look = (self.host.names()[seat], view["to_move"] == seat, player)
            rows.append(self._row(seat, look, lambda each=player: self._player_row(view, each)))
        if rows != self.listed:
            self.listed = rows
            fill(self.table, el("caption", {"class": "hush"}, "Market and reserves"), *rows)

    def _row(self, name, look, make):
        """The row; numbers change in place, so that a step through the game is one frame."""
        known = self.rows.get(name)
        if known is None or known[0][:2] != look[:2]:
            node = make()
        else:
            node = known[1]
            _recount(node, known[0][2], look[2])
        self.rows[name] = (look, node)
        return node

    def _market_row(self, view):
        cells = [self._good(colour, view["market"][colour]) for colour in COLOURS]
        last = el("td", {})
        return el("tr", {}, el("th", {"scope": "row"}, "Market"), cells, last)

    def _player_row(self, view, player):
        seat = player["seat"]
        name = self.host.names()[seat]
        who = el(
            "div",
            {"class": "who"},
            el("span", {"class": "dot"}),
            el("span", {"title": name}, self.host.short(seat)),
            el("b", {"class": "figures", "title": "length of the caravan"}, player["length"]),
        )
        cells = [self._good(colour, player["goods"][colour]) for colour in COLOURS]
        camels = el(
            "td",
            {"aria-label": f"{player['camels']} camels"},
            el(
                "span",
                {"class": "chip", "style": self._ink(seat)},
                picture("camel"),
                el("span", {"style": "color:var(--ink)"}, player["camels"]),
            ),
        )
        acting = view["to_move"] == seat
        return el(
            "tr",
            {"class": "acting" if acting else None, "style": f"--tone:var(--seat-{seat})"},
            el("th", {"scope": "row"}, who),
            cells,
            camels,
        )

    def _good(self, colour, count):
        return el(
            "td",
            {"class": None if count else "none", "aria-label": f"{count} {colour}"},
            el("span", {"class": "chip"}, picture("good-" + colour), el("span", {}, count)),
        )

    # -- camera --------------------------------------------------------------------------------

    def _frame(self):
        """At the own turn the lead camel and its reach, big enough to tap; else everything."""
        now = self.now
        if now.seat is None or not now.live:
            if self.framed is not None:
                self.framed = None
                self.stage.whole()
            return
        step = now.view["step"]
        mine = now.view["players"][now.seat]["caravan"]
        turn = (now.view["turn"], now.seat, step, len(mine))
        if self.framed == turn:
            return
        self.framed = turn
        width, height = self.stage.shape()
        if step != "place" or TOUCH * self.stage.units_per_pixel() <= 5200:
            self.stage.whole()
            return
        lead = self.board.index[(mine[-1][0], mine[-1][1])]
        if not self.stage.followed and turn[:2] == self.turn:
            self._keep_in_sight(lead)
            return
        self.turn = turn[:2]
        near = laying.next_cells(self.found, ())
        wide, high = width * 52 // TOUCH, height * 52 // TOUCH
        x, y = self.board.at[lead]
        cells = [lead, *near, *laying.far_cells(self.found, ())]
        bx, by, bw, bh = self.board.box(cells, 30)
        cx = max(x - wide // 2 + 60, min(x + wide // 2 - 60, bx + bw // 2))
        cy = max(y - high // 2 + 60, min(y + high // 2 - 60, by + bh // 2))
        self.stage.followed = False
        self.stage.look((cx - wide // 2, cy - high // 2, wide, high))

    def _keep_in_sight(self, lead):
        """Moves the camera no further than to show the lead and the cells before it."""
        near = laying.next_cells(self.found, ())
        x, y, w, h = self.board.box([lead, *near], 50)
        left, top, wide, high = self.stage.target
        dx = min(0, x - left) + max(0, x + w - left - wide)
        dy = min(0, y - top) + max(0, y + h - top - high)
        if dx or dy:
            self.stage.look((left + dx, top + dy, wide, high))


def _recount(row, before, now):
    """Writes the numbers that differ into a row of reserves."""
    for place, colour in enumerate(COLOURS, start=1):
        count = now["goods"][colour]
        if before["goods"][colour] != count:
            cell = row.children[place]
            patch(cell, {"class": None if count else "none", "aria-label": f"{count} {colour}"})
            fill(cell.firstChild.lastChild, count)
    if "camels" not in now:
        return
    if before["camels"] != now["camels"]:
        cell = row.lastChild
        patch(cell, {"aria-label": f"{now['camels']} camels"})
        fill(cell.firstChild.lastChild, now["camels"])
    if before["length"] != now["length"]:
        fill(row.firstChild.firstChild.lastChild, now["length"])
