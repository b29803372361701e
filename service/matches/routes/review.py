"""Route for the review of a match."""

from litestar import Response, get

from domain.presentation import schemas
from domain.presentation.reviews import review_answer
from service.http import offload
from service.http.injection import AnyRequest, Injected
from service.matches.parameters import OptionalSeat
from service.matches.request_context import MatchVisitor


@get(
    "/api/matches/{match_id:str}/review",
    operation_id="reviewMatch",
    opt={"cost": 10, "packed": True},
    tags=["matches"],
)
async def review_match(
    request: AnyRequest, shared: Injected[MatchVisitor], seat: OptionalSeat = None
) -> Response[schemas.ReviewAnswer]:
    """Get the review of a match.

    It contains the standings and the game's analysis of each seat's play.
    """
    viewer = shared.viewer(seat)
    return await offload.json_response(
        request, *(shared.match.timeline, 0), lambda: review_answer(shared.match.id, viewer)
    )
