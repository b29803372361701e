"""A racer's possessions as chips: gourds, food bags and the unrevealed bid."""

from frontend.app.core.dom import el, picture
from frontend.app.core.i18n import join_list
from frontend.app.core.types import Data, Node, View
from frontend.app.games.caravane.i18n import t


def draw_possessions(view: View, racer: Data, brief: bool = False) -> Node:
    """Return chips for what a racer holds, as its own player sees them.

    ``brief``: leave out the gourds, which are in the own row, and the text for "nothing".
    """
    stage = view["stage"]
    bag = racer["bags"][stage - 1] if racer["bags"] and stage else None
    chips = []
    if stage and not brief:
        left = t("panel.gourds_left", n=racer["stock"])
        chips.append(symbol_with_text("sign-water", left))
    if bag:
        text = t("panel.bag", bag=bag)
        if racer["bag_spent"]:
            text = t("panel.bag_used", bag=bag)
        chips.append(symbol_with_text("sign-bag", text))
    elif racer["bags"]:
        packed = join_list([str(worth) for worth in racer["bags"]])
        chips.append(symbol_with_text("sign-bag", t("panel.bags_by_stage", packed=packed)))
    if racer["allotted"] and (view["split"] or not stage):
        kept = join_list([str(gourds) for gourds in racer["allotted"]])
        chips.append(symbol_with_text("sign-water", t("panel.gourds_by_stage", kept=kept)))
    bid = _bid(view, racer)
    if bid is not None:
        text = t("panel.own_bid", bid=bid)
        if racer["bid"] and racer["bid"]["bag"]:
            text = t("panel.own_bid_bag", bid=bid)
        chips.append(el("span", {"class": "fact own-bid"}, text))
    if not chips and not brief:
        chips.append(el("span", {"class": "fact"}, t("panel.nothing_chosen")))
    return el("div", {"class": "facts-row"}, chips)


def draw_stage_possessions(view: View, racer: Data) -> Node:
    """Return what a racer held in a stage as numbers, with hidden words for screen readers."""
    bid = _bid(view, racer)
    parts = [_figure("sign-water", racer["stock"], t("panel.gourds_left_figure"))]
    if racer["bags"]:
        bag = racer["bags"][view["stage"] - 1]
        parts.append(_figure("sign-bag", bag, t("panel.in_bag")))
        if racer["bag_spent"]:
            parts.append(el("span", {}, t("panel.used")))
    if bid is not None:
        text = t("panel.bid_bag", bid=bid) if racer["bid"]["bag"] else t("panel.bid", bid=bid)
        parts.append(el("span", {"class": "own-bid"}, text))
    return el("div", {"class": "facts-row"}, parts)


def _bid(view: View, racer: Data) -> int | None:
    """Return the gourds of a racer's unrevealed bid, after any revision, or None.

    Returns None in phases other than bidding and revising.
    """
    if view["phase"] not in ("bid", "revise") or not racer["bid"]:
        return None
    return racer["bid"]["gourds"] if racer["revised"] is None else racer["revised"]


def symbol_with_text(sign: str, text: str) -> Node:
    """Return a symbol followed by a text."""
    return el("span", {"class": "fact"}, picture(sign, 24), el("span", {}, text))


def _figure(sign: str, number: int, text: str) -> Node:
    body = el("span", {}, str(number), el("span", {"class": "hush"}, " " + text))
    return el("span", {"class": "fact"}, picture(sign, 24), body)
