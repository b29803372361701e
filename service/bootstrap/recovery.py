"""Seat recovery."""

import asyncio

from service.bootstrap.live import Live
from service.bootstrap.storage import Storage
from service.common.clock import now_ms
from service.matches.match_writer import MatchWriter
from service.matches.seat_recovery import SeatRecoveryActions
from service.notifications.mail_link_codes import MailLinkCodes
from service.recovery.device_codes import DeviceCodes
from service.recovery.pins import SeatPins
from service.recovery.recoveries import SeatRecoveries
from service.settings import Settings
from service.social.personal_store import PersonalStore


async def build_recoveries(
    settings: Settings,
    *,
    storage: Storage,
    personal: PersonalStore,
    live: Live,
    match_writer: MatchWriter,
    link_codes: MailLinkCodes,
) -> SeatRecoveries:
    """Build the service that restores seats to players who lost their device."""
    pins = await asyncio.to_thread(SeatPins.load, storage.store, now_ms())
    return SeatRecoveries(
        settings=settings,
        actions=SeatRecoveryActions(writer=match_writer),
        matches=storage.matches,
        hub=live.hub,
        presence=live.presence,
        personal=personal,
        mail_link_codes=link_codes,
        pins=pins,
        device_codes=DeviceCodes(storage.store, pins),
        run_query=storage.writer.run,
    )
