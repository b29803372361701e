"""Replacement for ``msgspec`` in the browser: ``Struct`` and the few functions the app uses."""

from _native import install, to_builtins

__all__ = ["UNSET", "Struct", "UnsetType", "field", "to_builtins"]


class UnsetType:
    """The type of `UNSET`; fields with this value are omitted from JSON."""


UNSET = UnsetType()


def field(default_factory):
    """Return the default value of a field, such as an empty dict; every instance gets a copy."""
    return default_factory()


class Struct:
    """Immutable value with named fields; the build adds field names and defaults to the class."""

    def __init_subclass__(
        cls, frozen=False, tag=None, kw_only=False, gc=True, forbid_unknown_fields=False, **other
    ):
        if other:
            raise TypeError("Struct options that are not shipped: " + ", ".join(other))
        install(cls, Struct, tag is True, kw_only)

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__struct_fields__)

    def __hash__(self):
        values = [getattr(self, name) for name in self.__struct_fields__]
        return hash((type(self).__name__, *values))

    def __repr__(self):
        shown = [f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__]
        return type(self).__name__ + "(" + ", ".join(shown) + ")"

    def __setattr__(self, name, value):
        raise AttributeError("immutable type: " + type(self).__name__)
