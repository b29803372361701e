"""Short codes that people read out and type: eight letters and digits, in two groups."""

import hmac
import re
import secrets

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No I, L, O or U, which are taken for others."""
CODE_LENGTH = 8
_MISREAD = str.maketrans("ILO", "110")


def random_code() -> str:
    """A new code: 40 random bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def derived_code(secret: bytes, purpose: bytes) -> str:
    """The code that follows from a secret."""
    number = int.from_bytes(hmac.digest(secret, purpose, "sha256")[:5])
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(CODE_LENGTH))


def normalized(code: str) -> str:
    """A code however it is typed: blanks, hyphens and capitals do not matter."""
    return re.sub(r"[\s-]", "", code).upper().translate(_MISREAD)


def grouped(code: str) -> str:
    """A code as it is shown."""
    half = CODE_LENGTH // 2
    return f"{code[:half]}-{code[half:]}"
