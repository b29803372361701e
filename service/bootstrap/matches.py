"""The actions on matches."""

import asyncio

from msgspec import Struct

from service.bootstrap.limits import Limits
from service.bootstrap.live import Live
from service.bootstrap.people import People
from service.bootstrap.storage import Storage
from service.common.clock import now_ms
from service.matches.actions import MatchActions
from service.matches.automatic_actions import AutomaticActions
from service.matches.bot_runner import BotRunner
from service.matches.match_files import MatchFiles
from service.matches.match_finder import MatchFinder
from service.matches.match_writer import MatchWriter
from service.matches.opening_actions import OpeningActions
from service.matches.rematch import RematchActions
from service.matches.seat_actions import SeatActions
from service.matches.signing import SigningKeys
from service.matches.vacation_service import VacationService
from service.players.vacations import VacationLedger
from service.settings import Settings


class Matches(Struct, frozen=True):
    """The actions on matches."""

    bots: BotRunner
    writer: MatchWriter
    finder: MatchFinder
    automatic: AutomaticActions
    vacations: VacationService
    actions: MatchActions
    seats: SeatActions
    openings: OpeningActions
    rematches: RematchActions
    files: MatchFiles


async def build_matches(
    settings: Settings, *, storage: Storage, limits: Limits, people: People, live: Live
) -> Matches:
    """Create the signing key if there is none; build the services that read and write matches."""
    keys = SigningKeys(storage.store)
    # Create the key at the first start, so that the public key is listed before anything is signed.
    await asyncio.to_thread(keys.signer, now_ms())
    bots, writer = _build_writer(settings, storage=storage, live=live)
    automatic = AutomaticActions(writer=writer, matches=storage.matches, bots=bots)
    vacations = VacationService(
        ledger=VacationLedger(storage.store, settings.vacation_days),
        actions=automatic,
        projector=storage.projector,
        read_models=storage.read_models,
    )
    seats = SeatActions(writer=writer, access=live.access, limits=limits.social)
    return Matches(
        bots=bots,
        writer=writer,
        finder=MatchFinder(matches=storage.matches, access=live.access, bots=bots),
        automatic=automatic,
        vacations=vacations,
        actions=MatchActions(
            writer=writer, limits=limits.social, end_vacation=vacations.end_vacation
        ),
        seats=seats,
        openings=OpeningActions(writer=writer, limits=limits.social, contacts=people.contacts),
        rematches=RematchActions(
            writer=writer,
            matches=storage.matches,
            access=live.access,
            limits=limits.social,
            seats=seats,
        ),
        files=MatchFiles(writer=writer, keys=keys, run_query=storage.writer.run),
    )


def _build_writer(
    settings: Settings, *, storage: Storage, live: Live
) -> tuple[BotRunner, MatchWriter]:
    """Build what moves the bots, and what writes decisions and announces them."""
    bots = BotRunner(
        saver=storage.writer,
        matches=storage.matches,
        announce=live.hub.announce_version,
        wait_s=settings.bot_patience,
    )
    writer = MatchWriter(
        store=storage.store,
        saver=storage.writer,
        matches=storage.matches,
        bots=bots,
        announce=live.hub.announce_version,
        on_seat_lost=live.hub.announce_lost_seat,
    )
    return bots, writer
