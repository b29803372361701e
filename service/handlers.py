"""Every call of the documented interface."""

from typing import Any

from service import review, routes

HANDLERS: tuple[Any, ...] = (*routes.HANDLERS, *review.HANDLERS)
