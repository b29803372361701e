"""Path, query and header parameters shared by the match routes."""

from collections.abc import Collection
from typing import Annotated, Literal

from litestar.params import HeaderParameter, PathParameter, QueryParameter

from service.http.injection import AnyRequest
from service.http.problems import ApiProblem

_MAX_QUOTED_NAME_CHARS = 100
"""Maximum number of characters of a parameter's name quoted in an error message."""

MatchId = Annotated[str, PathParameter(description="The id of the match.", max_length=64)]


Slug = Annotated[str, PathParameter(description="The slug of the game.", max_length=50)]


OptionalSeat = Annotated[
    int | None,
    QueryParameter(
        ge=-1,
        le=15,
        description="The seat to view the match from, if you hold several; -1 to see only what"
        " everyone in the match may see.",
    ),
]


OwnSeat = Annotated[
    int, QueryParameter(name="seat", ge=0, le=15, description="A seat that you hold.")
]


InviteCode = Annotated[
    str | None,
    QueryParameter(max_length=100, description="The invite or share code of a private match."),
]


ShareCode = Annotated[
    str | None, QueryParameter(max_length=100, description="The share code of a private match.")
]


IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="Makes retries safe: the same key and body get the same response.",
    ),
]


ViewParts = Annotated[
    Literal["whole", "changing"],
    QueryParameter(
        name="view",
        description='"changing": omit the constant fields of the view, which `getLayout` returns.',
    ),
]


ChoiceGroup = Annotated[
    str | None, QueryParameter(max_length=60, description="List only commands of this type.")
]


Offset = Annotated[
    int, QueryParameter(ge=0, le=2**53, description="With `group`: number of choices to skip.")
]


def reject_unknown_parameters(request: AnyRequest, known: Collection[str]) -> None:
    """Raise `ApiProblem` 400 ``unknown_parameter`` for a query parameter that is not in ``known``.

    ``language`` is accepted by every route (`service.http.i18n`).
    """
    for name in request.query_params:
        if name not in known and name != "language":
            raise ApiProblem(
                400,
                "unknown_parameter",
                "error.unknown_parameter",
                args={"name": name[:_MAX_QUOTED_NAME_CHARS]},
                field=name[:_MAX_QUOTED_NAME_CHARS],
            )
