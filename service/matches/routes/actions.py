"""Routes for actions in a match: commands, undo and redo, votes, and chat."""

from functools import partial

from litestar import Response, post
from litestar.params import JSONBody

from domain.presentation import schemas
from service.http.injection import Injected
from service.matches import schema
from service.matches.fast_path import play_response
from service.matches.parameters import ViewParts
from service.matches.request_context import Actor

_post = partial(post, tags=["playing"], status_code=200)


@_post(
    "/api/matches/{match_id:str}/commands",
    operation_id="playCommands",
    opt={"fast_path": "commands"},
)
async def play_commands(
    actor: Injected[Actor], data: JSONBody[schema.PlayCommands], view: ViewParts = "whole"
) -> schemas.PlayedAnswer:
    """Play commands of a seat.

    The commands are executed in order, all or none.
    """
    return await play_response(actor, data, view)


@_post("/api/matches/{match_id:str}/undo", operation_id="undoMoves")
async def undo_moves(
    actor: Injected[Actor], data: JSONBody[schema.UndoMoves], view: ViewParts = "whole"
) -> Response[schemas.MatchAnswer]:
    """Undo moves.

    If the other players have to agree first, the status is 202 and the match has an open proposal.
    """
    done = await actor.run(actor.actions.undo, data)
    return Response(actor.match_answer(done, view), status_code=done.status)


@_post("/api/matches/{match_id:str}/undo/answer", operation_id="answerProposal")
async def answer_proposal(
    actor: Injected[Actor], data: JSONBody[schema.AnswerProposal], view: ViewParts = "whole"
) -> schemas.MatchAnswer:
    """Answer an undo proposal.

    The undo is executed once all other players have agreed. The player who proposed it withdraws
    it by declining.
    """
    return actor.match_answer(await actor.run(actor.actions.answer_proposal, data), view)


@_post("/api/matches/{match_id:str}/vote", operation_id="castVote")
async def cast_vote(
    actor: Injected[Actor], data: JSONBody[schema.CastVote], view: ViewParts = "whole"
) -> schemas.MatchAnswer:
    """Vote on whether a bot takes a seat whose time is up.

    All other players have to agree. A seat that was left open is given to a bot by the first vote.
    """
    return actor.match_answer(await actor.run(actor.actions.vote, data), view)


@_post("/api/matches/{match_id:str}/say", operation_id="sayWords")
async def send_chat_message(
    actor: Injected[Actor], data: JSONBody[schema.SayWords], view: ViewParts = "whole"
) -> schemas.MatchAnswer:
    """Send a chat message.

    The message goes to everyone in the match or only to one seat. An undo does not remove it.
    """
    return actor.match_answer(await actor.run(actor.actions.send_chat_message, data), view)


@_post("/api/matches/{match_id:str}/redo", operation_id="redoMoves")
async def redo_moves(
    actor: Injected[Actor], data: JSONBody[schema.RedoMoves], view: ViewParts = "whole"
) -> schemas.MatchAnswer:
    """Redo the moves that the last undo removed."""
    return actor.match_answer(await actor.run(actor.actions.redo, data), view)
