"""Strict decoding of JSON request bodies, and rejection of null query parameters.

Litestar converts JSON bodies as leniently as query strings: 0 and "no" are accepted as false, "3"
as 3. The OpenAPI document promises JSON types, so a body that is valid only after such a conversion
is rejected.
"""

from typing import Any

import msgspec
from litestar import Request

from service.http.problems import ApiProblem, invalid_value


class StrictRequest(Request[Any, Any, Any]):
    """Request that decodes a JSON body strictly into the handler's struct, if it takes one."""

    async def json(self) -> Any:
        """Return the body, converted to the handler's struct if it takes one.

        A body that is invalid even after lenient conversion is returned as plain values; Litestar
        then rejects it and names the field. Raises `ApiProblem` 422 ``invalid_request`` if the body
        is valid only after lenient conversion.
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
            raise invalid_value(str(error)) from None


def _fits_loosely(plain: Any, wanted: type[msgspec.Struct]) -> bool:
    try:
        msgspec.convert(plain, wanted, strict=False, str_keys=True)
    except msgspec.ValidationError:
        return False
    return True


async def reject_null_parameters(request: Request[Any, Any, Any]) -> None:
    """Reject a query parameter with the value ``null``; Litestar would treat it as absent.

    Raises `ApiProblem` 422 ``invalid_request`` with the parameter as ``field``.
    """
    if b"=null" in request.scope["query_string"]:
        for name, value in request.query_params.multi_items():
            if value == "null":
                raise ApiProblem(422, "invalid_request", "error.null_parameter", field=name)
