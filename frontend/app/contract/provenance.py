"""Sentences about the provenance of a match and of its random draws."""

from frontend.app.core.dom import el
from frontend.app.core.i18n import t
from frontend.app.core.types import Data, Node


def draws_line(data: Data) -> str | None:
    """Return a sentence about verifying a match's draws; None while its seed is secret."""
    fairness = data["fairness"]
    if not fairness.get("seed"):
        return None
    if data.get("phone"):
        return t("file.draws_on_phone")
    if fairness.get("deal_commitment"):
        return t("file.open_draws_verifiable")
    return t("file.draws_verifiable")


def file_line(data: Data) -> str | None:
    """Return a line about a match that comes from a file, imported or forked; otherwise None.

    It is short enough for a card; `origin_paragraph` is the long form.
    """
    if "signed" not in data:
        return None
    if data.get("phone"):
        return t("file.drawn_on_phone")
    return t("file.signed_here") if data["signed"] else t("file.unsigned")


def origin_paragraph(data: Data) -> Node | None:
    """Return a paragraph about the origin of an imported match; None for a match played here."""
    if "signed" not in data:
        return None
    text = t("file.signed_here_long") if data["signed"] else t("file.unsigned_long")
    if data.get("phone"):
        text = t("file.played_offline")
    return el("p", {"class": "lineage muted"}, text)
