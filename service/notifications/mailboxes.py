"""Mail addresses: their normal spelling, and the mailbox that several spellings share.

Addresses are checked by `email-validator` without DNS queries. The checked spelling is stored and
used for sending; rate limits and unsubscriptions count the mailbox.
"""

from email_validator import EmailNotValidError, validate_email

_ROUTING_SIGNS = ("%", "!", "=?", "?=")
"""Characters that old mail servers read as a route to another mailbox, or mail programs as an
encoded word."""
_GMAIL_DOMAINS = ("gmail.com", "googlemail.com")


def normalize_address(text: str) -> str | None:
    """Return an address in its normal spelling in ASCII; None if it is not accepted.

    Quoted local parts, non-ASCII local parts, IP addresses in brackets and encoded words
    (RFC 2047) are not accepted: mail programs disagree on what they mean. Nor are addresses with a
    route in the local part ("user%host", "host!user"), which some servers follow to another
    mailbox.
    """
    try:
        valid = validate_email(
            text.strip(),
            check_deliverability=False,
            allow_smtputf8=False,
            allow_quoted_local=False,
            allow_domain_literal=False,
            allow_display_name=False,
            strict=True,
        )
    except (EmailNotValidError, ValueError):
        return None
    address = valid.ascii_email
    if address is None or any(sign in address for sign in _ROUTING_SIGNS):
        return None
    return address


def mailbox_of_address(address: str) -> str:
    """Return the mailbox of a checked address: lower case, without a plus suffix.

    Dots in the local part are removed for Gmail only, which documents that it ignores them;
    elsewhere they may distinguish two people.
    """
    local, _, domain = address.lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _GMAIL_DOMAINS:
        local, domain = local.replace(".", ""), _GMAIL_DOMAINS[0]
    return f"{local}@{domain}"
