"""The wording of all messages, by the rules in ``wording.py``."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

import pytest

from tests.i18n.message_references import LANGUAGES
from tests.i18n.test_message_ids import forms_of
from tests.i18n.wording import ENGLISH, FRENCH, Rule, broken_rules

RULES = {"en": ENGLISH, "fr": FRENCH}


def _violations(language: str, rules: Sequence[Rule]) -> Iterator[tuple[str, str, Rule]]:
    """Yield each message that breaks a rule, as "text domain id", with its sentence."""
    for text_domain, messages in LANGUAGES[language][1].items():
        for key, message in messages.items():
            for form in forms_of(message):
                for rule in broken_rules(form, rules):
                    yield f"{text_domain} {key}", form, rule


def _is_allowed(message: str, rule: Rule) -> bool:
    return any(fnmatchcase(message, allowed) for allowed in rule.allowed)


@pytest.mark.parametrize("language", RULES)
def test_messages_follow_the_rules(language: str) -> None:
    """If a message is right, list it in ``Rule.allowed`` and say why."""
    found = [
        f"{message}: {form!r} ({rule.reason})"
        for message, form, rule in _violations(language, RULES[language])
        if not _is_allowed(message, rule)
    ]
    assert found == []


@pytest.mark.parametrize("language", RULES)
def test_every_exception_is_needed(language: str) -> None:
    found = list(_violations(language, RULES[language]))
    unused = [
        (rule.pattern, allowed)
        for rule in RULES[language]
        for allowed in rule.allowed
        if not any(broken is rule and fnmatchcase(name, allowed) for name, _form, broken in found)
    ]
    assert unused == []


@pytest.mark.parametrize(
    ("rules", "bad"),
    [
        (ENGLISH, "Take it back?"),
        (ENGLISH, "Be told"),
        (ENGLISH, "{n} unread words"),
        (ENGLISH, "Who knows it sees your deadlines."),
        (ENGLISH, "This is no link to a table."),
        (ENGLISH, "There is no such game."),
        (ENGLISH, "Export the match file"),
        (ENGLISH, "Chance draws the first player."),
        (ENGLISH, "whether a bot takes over"),
        (ENGLISH, "Send looters to {trail}"),
        (ENGLISH, "Colors"),
        (ENGLISH, "You can't undo this."),
        (ENGLISH, "Declined - ask again later."),
        (ENGLISH, "Loading ..."),
        (FRENCH, "Confirmer ?"),
        (FRENCH, "Confirmer\xa0?"),
        (FRENCH, "Dernier coup : {when}"),
        (FRENCH, "Touchez « Partager »."),
        (FRENCH, "L'appareil"),
        (FRENCH, "Reprendre le coup"),
        (FRENCH, "Revenir en arrière"),
        (FRENCH, "Me prévenir par e-mail"),
        (FRENCH, "La partie est finie."),
    ],
)
def test_bad_sentences_are_found(rules: Sequence[Rule], bad: str) -> None:
    assert broken_rules(bad, rules)


@pytest.mark.parametrize(
    ("rules", "good"),
    [
        (ENGLISH, "{who:seat} gives {wares:wares} to {whom:seat}."),
        (ENGLISH, "The draw does not match the seed."),
        (ENGLISH, "Who lost their device?"),
        (ENGLISH, "Take seat back"),
        (ENGLISH, "Load caravan {caravan} with {wares:wares}"),
        (FRENCH, "Dernier coup\xa0: {when}"),
        (FRENCH, "Confirmer\u202f?"),
        (FRENCH, "Touchez «\xa0Partager\xa0»."),
        (FRENCH, "Reprendre ma place"),
        (FRENCH, "une adresse postgresql:// ou un fichier"),
    ],
)
def test_good_sentences_pass(rules: Sequence[Rule], good: str) -> None:
    assert broken_rules(good, rules) == []
