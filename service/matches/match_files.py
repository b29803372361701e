"""Export and import of match files, and the keys that sign them."""

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from domain.matchfile.writer import export_match
from service.common.clock import now_ms
from service.http import offload
from service.http.problems import ApiProblem
from service.matches.access import is_return_pending
from service.matches.idempotency import RequestFingerprint
from service.matches.match_cache import LoadedMatch
from service.matches.match_writer import ActionResult, MatchWriter
from service.matches.presenters import Viewer
from service.matches.seating import verify_import
from service.matches.signing import SigningKey, SigningKeys
from service.players.identity import Player
from service.store.store import RunQuery


class MatchFiles:
    """Service that exports matches as signed files and imports them.

    ``run_query`` runs a blocking database call and awaits its result.
    """

    def __init__(self, *, writer: MatchWriter, keys: SigningKeys, run_query: RunQuery) -> None:
        self._writer = writer
        self._keys = keys
        self._run_query = run_query

    async def list_public_keys(self) -> list[SigningKey]:
        """Return the public keys for signatures of match files, newest first."""
        return await self._run_query(self._keys.list_keys)

    async def prepare_export(
        self, match: LoadedMatch, player: Player | None
    ) -> Callable[[], dict[str, Any]]:
        """Return a function that builds the match file, redacted for the caller.

        Raises `ApiProblem` 409 ``recovery_waits`` if the caller waits for the transfer of a seat.
        """
        viewer = Viewer(match.timeline, player.id if player else None)
        if player is not None and is_return_pending(match.timeline, player.id):
            raise ApiProblem(409, "recovery_waits", "error.recovery_waits")
        sign = await self._run_query(self._keys.signer, now_ms())
        return partial(
            export_match,
            match.id,
            match.timeline,
            viewer.seat,
            viewer.held_seats,
            sign,
            viewer.loss,
        )

    async def import_match(
        self, player: Player, file: bytes, fingerprint: RequestFingerprint | None
    ) -> ActionResult:
        """Verify a match file and store it as a new match owned by the caller.

        ``fingerprint``: identifies a repeated request, which gets the stored result. Raises
        `ApiProblem` 422 ``bad_file``.
        """
        if earlier := await self._writer.replay(fingerprint):
            return earlier
        own_keys = await self._run_query(self._keys.public_keys)
        key = uuid.uuid4()
        owned = await offload.run_match_job(verify_import, file, player, key, own_keys)
        return await self._writer.create_match(key, owned, fingerprint)
