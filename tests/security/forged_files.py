"""Real match files of every game, each changed in one place.

A mutant has a matching digest, so only the schema, the rules, the seed or the signature can tell.
"""

import random

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.matchfile.writer import compute_digest, content_to_sign
from service.matches.signing import key_id
from tests.security.file_mutations import MUTATIONS, Mutate
from tests.security.original_files import File


def kept(_file: File, _rng: random.Random) -> None:
    """Keep the original signature."""


def stripped(file: File, _rng: random.Random) -> None:
    file.pop("signature", None)


def damaged(file: File, rng: random.Random) -> None:
    signature = file.get("signature")
    if not isinstance(signature, dict):
        return
    field = rng.choice(["algorithm", "key", "public", "value"])
    old = str(signature.get(field, ""))
    signature[field] = rng.choice([old[::-1] + "0", old[:-2], None, "", "00" * 32, 7])


def of_a_stranger(file: File, _rng: random.Random) -> None:
    """Sign with another key under the id of the service's key."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public = private.public_key().public_bytes_raw().hex()
    value = private.sign(content_to_sign(file)).hex()
    made = {"algorithm": "Ed25519", "key": key_id(public), "public": public, "value": value}
    file["signature"] = made


TREATMENTS: tuple[Mutate, ...] = (kept, stripped, stripped, damaged, of_a_stranger)


def mutant(original: bytes, rng: random.Random) -> tuple[str, str, File]:
    """Return the names of the mutation and of the signature treatment, and the mutant."""
    while True:
        file: File = msgspec.json.decode(original)
        mutate, treat = rng.choice(MUTATIONS), rng.choice(TREATMENTS)
        before = content_to_sign(file)
        mutate(file, rng)
        treat(file, rng)
        if content_to_sign(file) == before:
            continue  # the content is unchanged
        file["digest"] = compute_digest(
            {key: part for key, part in file.items() if key != "digest"}
        )
        return mutate.__name__, treat.__name__, file
