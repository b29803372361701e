"""Validation of seat PINs: six digits, and not too common. Ships to the browser."""

PIN_DIGITS = 6
_COMMON_PINS = {
    *("147258", "258369", "147369", "159753", "159357", "753159", "357159", "142536", "741852"),
    *("963852", "789456", "456789", "258456", "520131", "131452", "246810", "135790", "102030"),
    *("010203", "101010", "112358", "314159", "271828", "007007", "121314", "100200"),
}


def is_pin(pin: str) -> bool:
    """Return whether a string consists of exactly six ASCII digits."""
    return len(pin) == PIN_DIGITS and all(digit in "0123456789" for digit in pin)


def is_common(pin: str) -> bool:
    """Return whether a valid PIN is easy to guess: repetitions, sequences, keypad patterns, etc."""
    digits = [int(digit) for digit in pin]
    steps = {(digits[at + 1] - digits[at]) % 10 for at in range(PIN_DIGITS - 1)}
    repeats = any(pin == pin[:length] * (PIN_DIGITS // length) for length in (1, 2, 3))
    pairs = pin[0::2] == pin[1::2]
    mirrored = pin == pin[::-1]
    return len(steps) == 1 or repeats or pairs or mirrored or pin in _COMMON_PINS
