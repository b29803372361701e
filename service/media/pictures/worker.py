"""The rendering process: ``python -m service.media.pictures.worker [FONT ...]``.

It reads jobs from standard input, each preceded by its length in four bytes. For each job it writes
a reply to standard output: the length in four bytes, a byte (1 for success, 0 for an error), and
then the image file or the error message. It exits at the end of its input. Its memory is limited to
`MAX_MEMORY_BYTES`; a job that needs more fails.
"""

import sys
from pathlib import Path
from struct import Struct as Layout
from typing import BinaryIO

import msgspec

from service.media.pictures.picture_renderer import PictureRenderer
from service.media.pictures.render_job import RenderJob

MAX_MEMORY_BYTES = 1536 * 1024 * 1024
"""Limit of the address space in bytes. It includes the loaded fonts; an animation needs about
100 MB.
"""
LENGTH_LAYOUT = Layout(">I")
ANSWER_LAYOUT = Layout(">I?")


def limit_memory() -> None:
    """Limit the memory of this process, if the operating system supports it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))


def run_jobs(jobs: BinaryIO, files: BinaryIO, renderer: PictureRenderer) -> None:
    """Render the jobs read from ``jobs`` and write replies to ``files`` until the input ends."""
    decoder = msgspec.msgpack.Decoder(RenderJob)
    while head := jobs.read(LENGTH_LAYOUT.size):
        order = jobs.read(LENGTH_LAYOUT.unpack(head)[0])
        try:
            done, made = True, renderer.render(decoder.decode(order))
        except Exception as problem:
            done, made = False, f"{type(problem).__name__}: {problem}".encode()[:2_000]
        files.write(ANSWER_LAYOUT.pack(len(made), done) + made)
        files.flush()


def main() -> None:
    limit_memory()
    run_jobs(sys.stdin.buffer, sys.stdout.buffer, PictureRenderer(map(Path, sys.argv[1:])))


if __name__ == "__main__":
    main()
