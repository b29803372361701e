"""Bodies of requests are read strictly.

The library reads them as it reads query strings: 0 and "no" would do for false, "3" for 3. The
document of the interface promises what JSON has types for, so such a body is refused.
"""

from typing import Any

import msgspec
from litestar import Request

from service.base.problems import misfitting


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
