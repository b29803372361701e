"""A DNS server on a free local port."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import dns.exception
import dns.message
import dns.rrset

from service.notifications.addresses import Resolver


class Nameserver:
    """A DNS server.

    ``names``: the addresses of each name; queries for other names get no answer at all. ``asked``:
    the queried names and types, in order.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.names: dict[str, list[str]] = {}
        self.asked: list[tuple[str, str]] = []

    @property
    def resolver(self) -> Resolver:
        """Return a resolver that queries this server."""
        return Resolver([("127.0.0.1", self.port)])

    def answer(self, question: bytes) -> bytes | None:
        """Return the answer to a query, or None to stay silent."""
        query = dns.message.from_wire(question)
        (wanted,) = query.question
        name = wanted.name.to_text(omit_final_dot=True)
        kind = "AAAA" if wanted.rdtype == 28 else "A"
        self.asked.append((name, kind))
        if name not in self.names:
            return None
        response = dns.message.make_response(query)
        found = [a for a in self.names[name] if (":" in a) == (kind == "AAAA")]
        if found:
            response.answer.append(dns.rrset.from_text_list(wanted.name, 0, "IN", kind, found))
        return response.to_wire()


@contextmanager
def nameserver() -> Iterator[Nameserver]:
    """Yield a server that answers while the block runs."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.bind(("127.0.0.1", 0))
        server = Nameserver(ear.getsockname()[1])

        def serve() -> None:
            while True:
                question, sender = ear.recvfrom(4096)
                if not question:
                    return
                try:
                    answer = server.answer(question)
                except dns.exception.DNSException:
                    continue
                if answer is not None:
                    ear.sendto(answer, sender)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
                last.sendto(b"", ("127.0.0.1", server.port))
            thread.join()
