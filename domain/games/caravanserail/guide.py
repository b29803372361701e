"""Rules guide to Caravansérail in text and pictures.

See `domain.contract.guide`. Ships to the browser.
"""

from typing import Any

from domain.contract.game import Seat
from domain.contract.guide import Picture, place_pieces, ruling, section
from domain.drawing.scene import Node
from domain.games.caravanserail.board import BOARDS
from domain.games.caravanserail.picture import caravans, homes, land, looters, place, place_name
from domain.games.caravanserail.trail_geometry import BOX
from domain.games.caravanserail.trail_geometry import points as spots
from domain.text.i18n import N_

RULINGS = 16
_BOARD = BOARDS[6]
_LETTERS = ("A", "B", "C", "D", "E", "F")
_HOMES = {"A": 0, "B": 1, "C": 2, "D": 3, "E": 4, "F": 5}
_TOPICS = {
    "homes": "start",
    "diplomacy": "business",
    "programme": "plan",
    "movement": "journeys",
    "raid": "raids",
    "business": "business",
}


def topic(view: dict[str, Any], seat: Seat | None) -> str:
    """Return the name of the section relevant to the phase of a view."""
    return _TOPICS.get(view["phase"], "end")


_HINTS = {
    "homes": N_("You may choose any caravanserai that is still free as your home."),
    "diplomacy": N_("You may talk with everybody; nobody has to keep a promise."),
    "programme": N_(
        "You may send each caravan a stretch further, load it at home, and plan a raid."
    ),
    "movement": N_("You may choose which token you pay for lodging."),
    "raid": N_("You may choose a caravan on the trail and take two tokens out of it."),
    "business": N_("You may offer a trade wherever caravans meet, or say that you are done."),
}


def hint(view: dict[str, Any], seat: Seat) -> str:
    """Return the hint for the current phase, or "" if there is none."""
    return _HINTS.get(view["phase"], "")


def _map(where: dict[tuple[int, int], str], raid: str = "") -> tuple[Node, ...]:
    """Draw the board for six seats.

    ``where``: caravans as ``{(seat, number): position}``; ``raid``: the trail of seat 1's looters,
    "" for none.
    """
    at = spots([{"letter": each.letter, "x": each.x, "y": each.y} for each in _BOARD.places])
    ground = [place(at, each.letter, each.oasis) for each in _BOARD.places]
    ground += [place_name(at, each.letter, each.name, each.oasis, False) for each in _BOARD.places]
    band = [looters(at, 1, raid, "B")] if raid else []
    pieces = [*homes(at, _HOMES), *band, *caravans(at, where, _LETTERS)]
    return (*land(at, list(_BOARD.trails)), *ground, *place_pieces(pieces))


def _homes() -> tuple[Node, ...]:
    """Draw the board with all homes and no caravans."""
    return _map({})


def _trails_picture() -> tuple[Node, ...]:
    """Draw a caravan on the trail from F to G and two others."""
    return _map({(0, 0): "FG", (0, 1): "H", (2, 0): "CH"})


def _raid() -> tuple[Node, ...]:
    """Draw looters and a caravan on the same trail."""
    return _map({(0, 0): "AF"}, "AF")


GUIDE = (
    section(
        "aim",
        "What it is about",
        "Each player is a sheikh with a caravanserai, three caravans, a band of looters and a "
        "secret treasure. A secret card names the wares that you want. Send your caravans out, "
        "trade, and rob whom you can: the first to have all the wares of the card at home wins.",
        ruling(
            "Six or eight seats play; where people are missing, bots sit.",
            15,
        ),
    ),
    section(
        "start",
        "The start",
        "The board of six has six caravanserais and three oases, the board of eight has eight and "
        "four. Everybody chooses a caravanserai as a home. The three caravans wait there, and the "
        "looters are ready.",
        "Each treasure card says with which wares you begin and which you need. Nobody else sees "
        "your card or your treasure.",
        Picture(
            "The board of six: homes in the colours of the players on the rim, the oases G, H and "
            "I inside, and the trails between them.",
            BOX,
            _homes,
        ),
        ruling(
            "The homes are chosen one after the other in an order that is drawn, and each home "
            "has one owner.",
            16,
        ),
    ),
    section(
        "plan",
        "The plan",
        "A turn has four phases. In the first everybody plans in secret and at the same time: an "
        "order for each caravan, perhaps a raid, and what is loaded.",
        "A caravan at a place may stay or set out on any trail of that place. A caravan on a "
        "trail must go on: to the place ahead, or past it to another trail that begins there. It "
        "may never turn about.",
        Picture(
            "The first caravan of A comes from F and is on its way to G. It may stop at G or go "
            "on towards A, H or I, but not back to F.",
            BOX,
            _trails_picture,
        ),
        ruling(
            "Going on to another trail means any trail of the place ahead but the one the caravan "
            "is on. The three caravans have orders of their own.",
            2,
            3,
        ),
        ruling(
            "Without a proper order a caravan at a place stays, and one on a trail stops at the "
            "place ahead.",
            4,
        ),
    ),
    section(
        "load",
        "Loading",
        "A caravan carries up to six tokens of wares. When the orders are given, and before "
        "anybody sees them, you load the caravans that leave your home.",
        ruling(
            "Only a caravan that stands at home and is ordered to leave may be loaded, with none "
            "to six tokens out of your treasure.",
            5,
        ),
    ),
    section(
        "journeys",
        "The journeys",
        "All plans are opened and all caravans move. Any number of them may be on one trail or at "
        "one place. Wares that come home go into the treasure at once.",
        "A caravan that enters the home of another player pays one token for its lodging. The "
        "visitor chooses which.",
        ruling(
            "Who passes a place without stopping pays, trades and unloads nothing there.",
            6,
        ),
        ruling(
            "An empty caravan pays nothing, and neither does anybody at home. The tax is paid "
            "once, when the caravan enters; the owner cannot waive it.",
            7,
        ),
    ),
    section(
        "raids",
        "Raids",
        "Looters attack the trail that was planned for them. If a caravan of another player is "
        "there, you look into it and take two tokens of your choice into your treasure. If there "
        "are several, you choose one without looking. Places are safe, and a trail on which a "
        "caravan of your own will be may not be raided by you.",
        Picture(
            "Looters of B wait on the trail between A and F, and meet a caravan of A.",
            BOX,
            _raid,
        ),
        "Looters who were sent out rest in the following turn.",
        ruling(
            "They rest also when the raid failed or the trail was empty.",
            8,
        ),
        ruling(
            "If two or more bands meet on one trail they fight each other, nobody is robbed, and "
            "all of them rest.",
            9,
        ),
        ruling(
            "From a caravan with fewer than two tokens what is there is taken. If one victim has "
            "several caravans on the trail, you point at one of them unseen.",
            10,
            11,
        ),
    ),
    section(
        "business",
        "Business",
        "Now wares change hands, at places only. At an oasis the owners of the caravans there may "
        "trade what these carry. In a home its owner may trade out of the treasure with visitors, "
        "and visitors with each other. You may also shift wares between your own caravans at one "
        "place.",
        "An offer is seen by the two parties only. You may promise whatever you like; nobody has "
        "to keep a promise.",
        ruling(
            "After a trade no caravan may carry more than six. Gifts are allowed. The owner's own "
            "caravans at home are empty, so he trades out of the treasure.",
            12,
        ),
        ruling(
            "The phase may be limited to some minutes when the table is opened; else it has no "
            "limit.",
            13,
        ),
        ruling(
            "What was offered and traded stays between the two.",
            14,
        ),
    ),
    section(
        "end",
        "Winning",
        "As soon as all wares of your card are in your treasure you win. If several reach that at "
        "the same moment they win together.",
        ruling(
            "The treasures are looked at after every change: a return, a raid, a tax, a trade at "
            "home. Wares on caravans that are away do not count, and more than the card asks for "
            "does no harm.",
            1,
        ),
    ),
)
