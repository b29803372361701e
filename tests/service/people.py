"""Players in matches over the API."""

from typing import Any

from litestar.testing import TestClient

Client = TestClient[Any]


class Person:
    """A player with a token that is sent with every request."""

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
        """GET an API path."""
        return self.client.get(f"/api{path}", params=query, headers=self.headers)

    def post(self, path: str, body: Any = None, key: str | None = None) -> Any:
        """POST to an API path."""
        headers = {**self.headers, **({"Idempotency-Key": key} if key else {})}
        return self.client.post(f"/api{path}", json=body, headers=headers)

    def open(self, *kinds: str, game: str = "caravanserai", **more: Any) -> Any:
        """Open a match with seats of these kinds; in the hex game seat 0 moves first."""
        body = {"game": game, "seats": [{"kind": kind} for kind in kinds], **more}
        if game == "caravanserai":
            body["options"] = {"begins": "host", **more.get("options", {})}
        answer = self.post("/matches", body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def choices(self, match: Any, seat: int) -> list[Any]:
        """Return the seat's legal commands."""
        answer = self.get(f"/matches/{match['id']}/choices", seat=seat)
        assert answer.status_code == 200, answer.text
        return list(answer.json()["choices"])

    def play(self, match: Any, seat: int, *commands: Any, key: str | None = None) -> Any:
        """Send commands at the match's version and return the response."""
        body = {"seat": seat, "expected_version": match["version"], "commands": list(commands)}
        return self.post(f"/matches/{match['id']}/commands", body, key)

    def step(self, match: Any, which: int = 0) -> Any:
        """Play one choice of the seat to act and return the match after it."""
        seat = match["to_act"][0]
        command = self.choices(match, seat)[which]["command"]
        answer = self.play(match, seat, command)
        assert answer.status_code == 200, answer.text
        return answer.json()["match"]

    def undo(self, match: Any, seat: int, to: int | None = None) -> Any:
        """Request an undo at the match's version and return the response."""
        body = {"seat": seat, "expected_version": match["version"], "to_version": to}
        return self.post(f"/matches/{match['id']}/undo", body)


def two_at_a_table(client: Client) -> tuple[Person, Person, Any]:
    """Return Ann, Bob and their running hex game as Ann sees it."""
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = ann.open("me", "open")
    joined = bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    assert joined.status_code == 200, joined.text
    return ann, bob, ann.get(f"/matches/{match['id']}").json()
