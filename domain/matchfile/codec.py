"""Encoding and decoding of a game's decisions, with upcasts from older rules versions.

Structs carry their type name as a tag, so a decision has the same fields in MessagePack (the
store) and in JSON (match files). A game whose events changed shape offers ``UPCASTS``: for each
rules version whose shapes the next version changed, a function that converts one decision, as
plain dicts and lists, to the next version. Stored bytes are never rewritten.

A match file has the current shapes under the rules version of its match, so it is upcast again when
it is read. An upcast must therefore return decisions of the next version unchanged.
"""

from collections.abc import Callable
from functools import reduce
from operator import or_
from types import GenericAlias
from typing import Any

import msgspec

from domain.contract.game import AnyRules, GameInfo
from domain.contract.registry import TITLES, rules_of
from domain.match import commands, events
from domain.match.history import Decision
from domain.matchfile.msgspec_warmup import DECODER_LOCK, warm_up
from domain.matchfile.writer import plain_decision

Upcast = Callable[[dict[str, Any]], dict[str, Any]]


class _Written(msgspec.Struct, frozen=True, array_like=True):
    """The stored form of a decision: an array without field names, to save space."""

    version: int
    seat: int | None
    command: Any
    events: Any
    draws: tuple[tuple[int, int], ...]
    at: int


_decode_older = msgspec.msgpack.Decoder(_Written).decode


def _union(types: tuple[type, ...]) -> Any:
    return reduce(or_, types)


class Codec:
    """Encoder and decoder of the decisions of one game."""

    def __init__(self, title: GameInfo, rules: AnyRules) -> None:
        fields = [
            ("version", int),
            ("seat", int | None),
            ("command", _union((*commands.COMMANDS, *rules.COMMANDS))),
            ("events", GenericAlias(tuple, (_union((*events.EVENTS, *rules.EVENTS)), ...))),
            ("draws", tuple[tuple[int, int], ...]),
            ("at", int),
        ]
        written = msgspec.defstruct("Written", fields, frozen=True, array_like=True)
        self.title = title
        self.rules = rules
        self.topic = f"{title.slug}/{title.rules_version}"
        self._decoder = msgspec.msgpack.Decoder(written)
        self._encoder = msgspec.msgpack.Encoder()
        self._commands = _union(rules.COMMANDS)
        self._command_field = msgspec.defstruct("CommandField", [("command", self._commands)])
        self._file_type = msgspec.defstruct(
            "Filed", fields, frozen=True, forbid_unknown_fields=True
        )
        warm_up(self._file_type, self._command_field, title.options)
        self._upcasts: dict[int, Upcast] = getattr(rules, "UPCASTS", {})

    def encode(self, decision: Decision) -> bytes:
        """Return the decision as MessagePack."""
        d = decision
        return self._encoder.encode(_Written(d.version, d.seat, d.command, d.events, d.draws, d.at))

    def decode(self, data: bytes, rules_version: int | None = None) -> Decision:
        """Decode stored bytes, upcasting from an older rules version if necessary.

        Raises ValueError for a rules version this program does not know.
        """
        if rules_version is None or self._has_current_shape(rules_version):
            w: Any = self._decoder.decode(data)
            return Decision(w.version, w.seat, w.command, w.events, w.draws, w.at)
        if not 1 <= rules_version < self.title.rules_version:
            raise ValueError("these rules are newer than this program's")
        old = _decode_older(data)
        plain = {name: getattr(old, name) for name in old.__struct_fields__}
        return self.from_plain(plain, rules_version)

    def _has_current_shape(self, rules_version: int) -> bool:
        """Return whether decisions of a rules version have the current shape and need no upcast."""
        current = self.title.rules_version
        return 1 <= rules_version <= current and not any(
            version in self._upcasts for version in range(rules_version, current)
        )

    def to_plain(self, decision: Decision) -> dict[str, Any]:
        """Return the decision as plain dicts and lists, for a match file."""
        return plain_decision(decision)

    def from_plain(self, plain: dict[str, Any], rules_version: int | None = None) -> Decision:
        """Convert plain dicts and lists to a decision, upcasting if necessary.

        ``rules_version``: None for the current one. Raises `msgspec.ValidationError` for anything
        that is not a decision.
        """
        version = self.title.rules_version if rules_version is None else rules_version
        while version < self.title.rules_version:
            upcast = self._upcasts.get(version)
            plain = upcast(plain) if upcast else plain
            version += 1
        w: Any = msgspec.convert(plain, self._file_type)
        return Decision(w.version, w.seat, w.command, w.events, w.draws, w.at)

    def parse_command(self, plain: Any) -> Any:
        """Convert plain dicts and lists to a command of the game.

        Raises `msgspec.ValidationError` for anything else, including unknown fields.

        msgspec prepares the fields of a struct once, but a union at each conversion, so the command
        is converted as a field: 1.3 instead of 13 µs of the about 350 µs of a request.
        """
        try:
            holder: Any = msgspec.convert({"command": plain}, self._command_field)
        except msgspec.ValidationError:
            msgspec.convert(plain, self._commands)  # raises it with a path inside the command
            raise
        command = holder.command
        unknown = set(plain) - {"type", *command.__struct_fields__}
        if unknown:
            raise msgspec.ValidationError(f"Object contains unknown field `{min(unknown)}`")
        return command


_codecs: dict[str, Codec] = {}


def codec_of(slug: str) -> Codec:
    """Return the codec of a game. Raises KeyError for an unknown slug."""
    found = _codecs.get(slug)
    if found is not None:
        return found
    title, rules = TITLES[slug], rules_of(slug)
    with DECODER_LOCK:
        if slug not in _codecs:
            _codecs[slug] = Codec(title, rules)
        return _codecs[slug]
