"""The addresses of a match's pictures, which the service draws."""

from typing import Any

from frontend.app.contract.context import MatchContext
from frontend.app.core.i18n import LANGUAGE


def picture_address(context: MatchContext, name: str, **query: Any) -> str:
    """Return the address of a picture of a match, in the language of the page.

    ``name``: its file name in the API; ``query``: further parameters.
    """
    query["language"] = LANGUAGE.tag
    if context.share_code:
        query["share"] = context.share_code
    query_string = "&".join([f"{key}={value}" for key, value in query.items()])
    return f"{context.path}/{name}?{query_string}"
