"""Sentences about the provenance of a match and of its random draws."""

from frontend.app.core.dom import el
from frontend.app.core.i18n import t
from frontend.app.core.types import Data, Node


def draws_line(data: Data) -> str | None:
    """Return a sentence about verifying a match's draws; None while its seed is secret."""
    fairness = data["fairness"]
    if fairness.get("seed") and data.get("phone"):
        return t("The draws follow from a seed that a phone chose: nobody else saw it chosen.")
    if not fairness.get("seed"):
        return None
    if fairness.get("deal_commitment"):
        return t("Every draw that hid nothing can be checked: its seed is public now.")
    return t("Every draw can be checked: the seed is public now.")


def file_line(data: Data) -> str | None:
    """Return a line about a match that comes from a file, imported or forked; otherwise None.

    It is short enough for a card; `origin_paragraph` is the long form.
    """
    if "signed" not in data:
        return None
    if data.get("phone"):
        return t("Drawn by a phone")
    return t("From a file signed here") if data["signed"] else t("From a file, not signed")


def origin_paragraph(data: Data) -> Node | None:
    """Return a paragraph about the origin of an imported match; None for a match played here."""
    if "signed" not in data:
        return None
    if data.get("phone"):
        text = t("Played on a phone by itself: its chance was the phone's own, proved by nobody.")
        return el("p", {"class": "lineage muted"}, text)
    text = (
        t("From a file signed here: it was played here.")
        if data["signed"]
        else t("From a file, not signed: names and times are what the file says.")
    )
    return el("p", {"class": "lineage muted"}, text)
