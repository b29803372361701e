"""Rendering process: ``python -m service.media.pictures.worker [FONT ...]``.

It reads orders from standard input, each after its length in four bytes. To standard output it
writes answers: the length in four bytes, a byte that is 1 for a file and 0 for an error, then the
file or the error message. It ends when its input ends. Its memory is limited to `MEMORY`; an order
that needs more fails.
"""

import sys
from pathlib import Path
from struct import Struct as Layout
from typing import BinaryIO

import msgspec

from service.media.pictures.picture_renderer import Studio
from service.media.pictures.render_job import Order

MEMORY = 1536 * 1024 * 1024
"""Limit of the address space in bytes: fonts are mapped, and an animation needs about 100 MB."""
LENGTH = Layout(">I")
ANSWER = Layout(">I?")


def limit_memory() -> None:
    """Limit the memory of this process, where the system supports it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def serve(orders: BinaryIO, files: BinaryIO, studio: Studio) -> None:
    """Answer orders until the input ends."""
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
