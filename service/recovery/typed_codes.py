"""Short codes that people read out and type: eight letters and digits, shown in two groups."""

import hmac
import re
import secrets

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The alphabet of the codes (Crockford's base32): without I, L, O and U, which are misread."""
CODE_LENGTH = 8
_MISREAD = str.maketrans("ILO", "110")


def random_code() -> str:
    """Make a new code of 40 random bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def derived_code(secret: bytes, purpose: bytes) -> str:
    """Derive a code from a secret: the first 40 bits of HMAC-SHA-256 of the purpose."""
    number = int.from_bytes(hmac.digest(secret, purpose, "sha256")[:5])
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(CODE_LENGTH))


def normalized(code: str) -> str:
    """Normalize a typed code: ignore blanks, hyphens and case, and read I, L as 1 and O as 0."""
    return re.sub(r"[\s-]", "", code).upper().translate(_MISREAD)


def grouped(code: str) -> str:
    """Format a code for display: two groups of four with a hyphen."""
    half = CODE_LENGTH // 2
    return f"{code[:half]}-{code[half:]}"
