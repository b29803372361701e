"""Email addresses: their normalised form, and the mailbox that several addresses may share.

Addresses are validated by ``email-validator`` without DNS queries. The normalised address is stored
and used for sending; rate limits and unsubscriptions apply to the mailbox.
"""

from email_validator import EmailNotValidError, validate_email

_ROUTING_SIGNS = ("%", "!", "=?", "?=")
"""Character sequences that old mail servers interpret as a route to another mailbox, or that mail
clients interpret as an encoded word."""
_GMAIL_DOMAINS = ("gmail.com", "googlemail.com")


def normalize_address(text: str) -> str | None:
    """Return an email address in its normalised form in ASCII; None if it is not accepted.

    Quoted local parts, non-ASCII local parts, IP addresses in brackets and encoded words
    (RFC 2047) are rejected, because mail clients interpret them differently. So are addresses with
    a route in the local part ("user%host", "host!user"), which some servers forward to another
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
    """Return the mailbox of a normalised address: in lower case and without a plus suffix.

    For Gmail, the dots in the local part are removed too, because Gmail documents that it ignores
    them, and googlemail.com becomes gmail.com. Elsewhere dots may distinguish two people.
    """
    local, _, domain = address.lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _GMAIL_DOMAINS:
        local, domain = local.replace(".", ""), _GMAIL_DOMAINS[0]
    return f"{local}@{domain}"
