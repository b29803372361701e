"""People at tables, as tests need them."""

from typing import Any

from litestar.testing import TestClient

Client = TestClient[Any]


class Person:
    """A player with a token; every call carries it."""

    def __init__(self, client: Client, name: str = "Ann") -> None:
        self.client = client
        self.name = name
        answer = client.post("/api/players", json={"name": name})
        client.cookies.clear()
        assert answer.status_code == 201, answer.text
        self.token = answer.json()["token"]
        self.id = answer.json()["player_id"]
        self.headers = {"Authorization": f"Bearer {self.token}"}

    def get(self, path: str, **query: Any) -> Any:
        """GET of an API path."""
        return self.client.get(f"/api{path}", params=query, headers=self.headers)

    def post(self, path: str, body: Any = None, key: str | None = None) -> Any:
        """POST of an API path."""
        headers = {**self.headers, **({"Idempotency-Key": key} if key else {})}
        return self.client.post(f"/api{path}", json=body, headers=headers)

    def open(self, *kinds: str, game: str = "caravanserai", **more: Any) -> Any:
        """A new match with seats of these kinds; of the hex game one that seat 0 begins."""
        body = {"game": game, "seats": [{"kind": kind} for kind in kinds], **more}
        if game == "caravanserai":
            body["options"] = {"begins": "host", **more.get("options", {})}
        answer = self.post("/matches", body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def choices(self, match: Any, seat: int) -> list[Any]:
        """What the seat may do."""
        answer = self.get(f"/matches/{match['id']}/choices", seat=seat)
        assert answer.status_code == 200, answer.text
        return list(answer.json()["choices"])

    def play(self, match: Any, seat: int, *commands: Any, key: str | None = None) -> Any:
        """The answer to commands at the match's version."""
        body = {"seat": seat, "expected_version": match["version"], "commands": list(commands)}
        return self.post(f"/matches/{match['id']}/commands", body, key)

    def step(self, match: Any, which: int = 0) -> Any:
        """Plays one choice of the seat that is to act; gives the match after it."""
        seat = match["to_act"][0]
        command = self.choices(match, seat)[which]["command"]
        answer = self.play(match, seat, command)
        assert answer.status_code == 200, answer.text
        return answer.json()["match"]

    def undo(self, match: Any, seat: int, to: int | None = None) -> Any:
        """The answer to an undo at the match's version."""
        body = {"seat": seat, "expected_version": match["version"], "to_version": to}
        return self.post(f"/matches/{match['id']}/undo", body)


def two_at_a_table(client: Client) -> tuple[Person, Person, Any]:
    """Ann and Bob and their running hex game, as Ann sees it."""
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = ann.open("me", "open")
    joined = bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    assert joined.status_code == 200, joined.text
    return ann, bob, ann.get(f"/matches/{match['id']}").json()
