"""Short codes that people read out and type: eight letters and digits, shown in two groups."""

import hmac
import re
import secrets

CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The characters of the codes (Crockford's base32), without I, L, O and U, which are easily
misread."""
CODE_CHARS = 8
_MISREAD_LETTERS = str.maketrans("ILO", "110")


def random_code() -> str:
    """Return a new code of 40 random bits, without a hyphen."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_CHARS))


def derive_code(secret: bytes, purpose: bytes) -> str:
    """Derive a code: the first 40 bits of the HMAC-SHA-256 of ``purpose`` with a secret key."""
    number = int.from_bytes(hmac.digest(secret, purpose, "sha256")[:5])
    return "".join(CODE_ALPHABET[number >> 5 * place & 31] for place in range(CODE_CHARS))


def normalize_code(code: str) -> str:
    """Normalise a typed code: remove spaces and hyphens, use upper case, read I, L as 1, O as 0."""
    return re.sub(r"[\s-]", "", code).upper().translate(_MISREAD_LETTERS)


def format_code(code: str) -> str:
    """Format a code for display: two groups of four characters with a hyphen."""
    half = CODE_CHARS // 2
    return f"{code[:half]}-{code[half:]}"
