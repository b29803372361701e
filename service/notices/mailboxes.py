"""Mail addresses: one spelling of each, and the mailbox that many spellings reach.

Checked by `email-validator`, without asking the DNS. What is kept and written to is the checked
spelling; what limits and refusals count is the mailbox.
"""

from email_validator import EmailNotValidError, validate_email

_ROUTING = ("%", "!", "=?", "?=")
"""What old mail servers read as a way to another mailbox, and mail programs as an encoded word."""
_GMAIL = ("gmail.com", "googlemail.com")


def checked(text: str) -> str | None:
    """The one spelling of an address in ASCII; None for what is no address.

    Quoted local parts, local parts in other letters, addresses in brackets and encoded words
    (RFC 2047) are none: mail programs disagree on what they mean. Nor are addresses with a route in
    the local part ("user%host", "host!user"), which some servers follow to another mailbox.
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
    if address is None or any(sign in address for sign in _ROUTING):
        return None
    return address


def mailbox_of(address: str) -> str:
    """The mailbox of a checked address: lower case, and without what follows a plus.

    Dots mean nothing at Gmail, which says so; elsewhere they may tell two people apart.
    """
    local, _, domain = address.lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _GMAIL:
        local, domain = local.replace(".", ""), _GMAIL[0]
    return f"{local}@{domain}"
