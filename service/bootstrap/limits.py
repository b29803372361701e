"""Rate limits of requests, and limits on live streams."""

from contextlib import AsyncExitStack

from msgspec import Struct

from service.http.rate_limits import Limiter, LimitSettings, SocialLimits, StreamSlots
from service.settings import Settings


class Limits(Struct, frozen=True):
    """Rate limits of requests and limits on live streams."""

    limiter: Limiter
    rates: LimitSettings
    streams: StreamSlots
    social: SocialLimits


def build_limits(settings: Settings, stack: AsyncExitStack) -> Limits:
    """Build the rate limits; their connection to Redis is closed with the stack."""
    limiter = Limiter(settings.redis_url)
    stack.push_async_callback(limiter.aclose)
    rates = LimitSettings(settings)
    return Limits(
        limiter=limiter,
        rates=rates,
        streams=StreamSlots(settings),
        social=SocialLimits(limiter, rates, settings.ask_pause),
    )
