"""Requests are read strictly.

The library reads them as it reads query strings: 0 and "no" would do for false, "3" for 3. The
document of the interface promises what JSON has types for, so such a body is refused.
"""

from typing import Any

import msgspec
from litestar import Request

from service.base.problems import Fault, misfitting


class StrictRequest(Request[Any, Any, Any]):
    """A request whose JSON body is of the handler's own type already when it has one."""

    async def json(self) -> Any:
        """The body; `Fault` 422 where only its types are wrong.

        What does not fit at all is left to the library, which tells the field.
        """
        plain = await super().json()
        field = self.route_handler.parsed_data_field
        wanted = field.annotation if field is not None else None
        if not (isinstance(wanted, type) and issubclass(wanted, msgspec.Struct)):
            return plain
        try:
            return msgspec.convert(plain, wanted)
        except msgspec.ValidationError as error:
            if not _fits_loosely(plain, wanted):
                return plain
            raise misfitting(str(error)) from None


def _fits_loosely(plain: Any, wanted: type[msgspec.Struct]) -> bool:
    try:
        msgspec.convert(plain, wanted, strict=False, str_keys=True)
    except msgspec.ValidationError:
        return False
    return True


async def refuse_null(request: Request[Any, Any, Any]) -> None:
    """The library would read ``?at=null`` as if it were absent; it is a mistake of the caller."""
    if b"=null" in request.scope["query_string"]:
        for name, value in request.query_params.multi_items():
            if value == "null":
                raise Fault(422, "invalid_request", "Leave it out instead.", field=name)
