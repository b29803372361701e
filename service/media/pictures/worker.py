"""The process that draws: ``python -m service.media.pictures.worker [FONT ...]``.

It reads orders from standard input and writes files to standard output, each after its length in
four bytes and, for an answer, a byte that says whether it is a file or what went wrong. It ends
when its input ends, and has no more memory than `MEMORY`: an order that needs more fails.
"""

import sys
from pathlib import Path
from struct import Struct as Layout
from typing import BinaryIO

import msgspec

from service.media.pictures.orders import Order
from service.media.pictures.studio import Studio

MEMORY = 1536 * 1024 * 1024
"""Bytes of addresses: fonts are mapped, and a film needs some 100 MB."""
LENGTH = Layout(">I")
ANSWER = Layout(">I?")


def limit_memory() -> None:
    """Where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def serve(orders: BinaryIO, files: BinaryIO, studio: Studio) -> None:
    """Answers orders until there are no more."""
    decoder = msgspec.msgpack.Decoder(Order)
    while head := orders.read(LENGTH.size):
        order = orders.read(LENGTH.unpack(head)[0])
        try:
            done, made = True, studio.draw(decoder.decode(order))
        except Exception as problem:
            done, made = False, f"{type(problem).__name__}: {problem}".encode()[:2_000]
        files.write(ANSWER.pack(len(made), done) + made)
        files.flush()


def main() -> None:
    limit_memory()
    serve(sys.stdin.buffer, sys.stdout.buffer, Studio(map(Path, sys.argv[1:])))


if __name__ == "__main__":
    main()
