"""A racer's possessions as chips: gourds, food bags and the unrevealed bid."""

from frontend.app.core.dom import el, picture
from frontend.app.core.i18n import join_list
from frontend.app.core.types import Data, Node, View
from frontend.app.games.caravane.i18n import t, tn


def draw_possessions(view: View, racer: Data) -> Node:
    """Return chips for what a racer holds, as its own player sees them."""
    stage = view["stage"]
    bag = racer["bags"][stage - 1] if racer["bags"] and stage else None
    chips = []
    if stage:
        left = tn("{n} gourd left", "{n} gourds left", n=racer["stock"])
        chips.append(symbol_with_text("sign-water", left))
    if bag:
        text = t("food bag of {bag}", bag=bag)
        if racer["bag_spent"]:
            text = t("food bag of {bag} is used", bag=bag)
        chips.append(symbol_with_text("sign-bag", text))
    elif racer["bags"]:
        packed = join_list([str(worth) for worth in racer["bags"]])
        chips.append(symbol_with_text("sign-bag", t("bags by stage: {packed}", packed=packed)))
    if racer["allotted"] and (view["split"] or not stage):
        kept = join_list([str(gourds) for gourds in racer["allotted"]])
        chips.append(symbol_with_text("sign-water", t("by stage: {kept}", kept=kept)))
    bid = _bid(view, racer)
    if bid is not None:
        text = t("Your bid: {bid}", bid=bid)
        if racer["bid"] and racer["bid"]["bag"]:
            text = t("Your bid: {bid} and the food bag", bid=bid)
        chips.append(el("span", {"class": "fact own-bid"}, text))
    if not chips:
        chips.append(el("span", {"class": "fact"}, t("Nothing is chosen yet")))
    return el("div", {"class": "facts-row"}, chips)


def draw_stage_possessions(view: View, racer: Data) -> Node:
    """Return what a racer held in a stage as numbers, with hidden words for screen readers."""
    bid = _bid(view, racer)
    with_bag = bid is not None and racer["bid"]["bag"]
    parts = [_figure("sign-water", racer["stock"], t("gourds left"))]
    if racer["bags"]:
        bag = racer["bags"][view["stage"] - 1]
        parts.append(_figure("sign-bag", bag, t("in the food bag")))
        if racer["bag_spent"]:
            parts.append(el("span", {}, t("used")))
    if bid is not None:
        parts.append(
            el(
                "span",
                {"class": "own-bid"},
                t("Bid {bid} + bag", bid=bid) if with_bag else t("Bid {bid}", bid=bid),
            )
        )
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
    return el(
        "span",
        {"class": "fact"},
        picture(sign, 24),
        el("span", {}, str(number), el("span", {"class": "hush"}, " " + text)),
    )


def gourd_count(gourds: int) -> str:
    """Return a number of gourds as a text."""
    return tn("{n} gourd", "{n} gourds", n=gourds)
