"""Phrases that must not come back in the interface, and the characters of its typography.

A `Rule` has a pattern, the reason with what to write instead, and the messages in which the words
are right. The terms are in docs/GLOSSARY.md, "Terms that players see". A pattern ignores case and
is searched in each sentence with its placeholders emptied: "{who:seat} bids {gourds}" is
"{} bids {}".
"""

import re
from collections.abc import Sequence
from typing import NamedTuple


class Rule(NamedTuple):
    """A pattern that no message may contain."""

    pattern: str
    reason: str
    """Why it is wrong, and what to write instead."""
    allowed: tuple[str, ...] = ()
    """Messages that may contain it, as "text domain id"; ``*`` stands for any characters."""


_PLACEHOLDER = re.compile(r"\{[^{}]*\}|%\(\w+\)[sdr]|%[sdr]")


def broken_rules(text: str, rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules that a sentence breaks."""
    bare = _PLACEHOLDER.sub("{}", text)
    return [rule for rule in rules if re.search(rule.pattern, bare, re.IGNORECASE)]


# --- English ----------------------------------------------------------------------------------

ENGLISH = (
    # Undo and looking back had six names, and the buttons stand side by side.
    Rule(
        r"\b(tak(e|es|en|ing)|took)( it| them)?[ -]back\b",
        "“undo” changes the game; only a seat and pieces are taken back",
        (
            "service error.seat_lost",
            "service notification.seat.voted_you",
            "service notification.time.bot_takes",
            "caravanserai count.*",
            "caravanserai guide.tail.ruling10",
        ),
    ),
    Rule(r"\bask(s|ed|ing)? to go back\b|^(go|step|turn|look) back\b", "“undo”, “previous turn”"),
    Rule(r"^(one|turn|round) (on|back)\b", "“next move”, “previous turn”"),
    Rule(r"\bplay(s|ed)? (it|them|the moves) again\b", "“redo”"),
    # What is played had five names.
    Rule(
        r"\b(an?|the|this|that|your|new|another|every|no) match(es)?\b|\bmatch (is|was|has)\b",
        "“game” is played, one sits at a “table”; a match is a word of the code",
    ),
    Rule(r"\b(the|this|a full|a whole) race\b|^race over\b", "“game”; only camels race"),
    Rule(
        r"\bjourneys?\b",
        "“game”; journeys are what caravans make in a turn",
        (
            "caravanserail guide.journeys.title",
            "caravanserail option.diplomacy_description",
            "caravanserail turn-begun",
        ),
    ),
    Rule(r"\b(sits?|sat) (down|here)\b", "“join”, “take the seat”"),
    # "Words", "told" and "said" stood for messages and for notifications.
    Rule(r"\bwords?\b", "“message”; a feed shows moves in words", ("page table.feed_hint",)),
    Rule(r"\b(be|are|is|you’re) told\b|^tell me\b", "“notify”, “Notifications”"),
    Rule(r"\bnotices?\b", "“notification”"),
    Rule(r"\bsay it\b|\bwhisper|\bwrote to\b|\bwritten to\b", "“send”, “private message”"),
    Rule(r"\be-mails?\b|\bmails?\b", "“email”"),
    # Words for the program's parts and what it does.
    Rule(
        r"\bchances?\b",
        "“random”, “random draw”; “chance draws” and “by chance” are not English",
        ("courtyard ability-T4",),  # the card "Second Chance"
    ),
    Rule(r"\bproved\b", "“verified”"),
    Rule(r"\bthe services?\b", "“the server”, “online”"),
    Rule(r"\bwithout a network\b", "“offline”"),
    Rule(
        r"\bkept\b",
        "“saved”; a card and a seat are kept",
        (
            "conquest effect.*",
            "conquest ledger.gear_kept",
            "conquest position.kept",
            "kernel recovery-objected*",
        ),
    ),
    # Terms of the games.
    Rule(r"\blooters?\b", "“raiders”"),
    Rule(r"\bwares?\b", "“goods”"),
    Rule(r"\bbusiness\b", "“trade”"),
    Rule(r"\bprogrammes?\b", "“plan”"),
    Rule(r"\bomitted\b", "“free (not counted)”"),
    Rule(r"\bplacements?\b", "“turn”"),
    Rule(r"\bset (a|the) goods?\b", "“place a good”"),
    Rule(r"\bturn(s|ed|ing)? the fountain\b", "“rotate”: a turn is a player’s turn"),
    Rule(r"\b(the|your|some|’s) loads?\b|’s load\b|\bthrow\b", "“cargo”, “drop cargo”"),
    Rule(r"\bdeliver(s|ed)? (it|the order|orders)\b", "orders are “completed”"),
    Rule(r"\brulings?\b", "“rule note”"),
    Rule(r"\blessons?\b", "“tutorial”"),
    Rule(r"\bwhat it is about\b|(?-i:^The (start|end)$)", "“Overview”, “Setup”, “Game end”"),
    # Sentences that nobody says.
    Rule(
        r"(^|[.:;!?] )who (\w+s|had|may|must)\b[^?]*$",
        "archaic: “If you have none, …”, “Anyone with this link can see …”",
    ),
    Rule(r"\b(this|that|it) is no\b|\bis nobody\b", "“not a game file”, “not signed in”"),
    Rule(
        r"\bno such\b",
        "“not found”, “unknown”, “invalid”, and what to do next",
        ("service cli.file.not_found",),  # a sentence of the operating system
    ),
    Rule(r"\bshall\b|\bas the system has it\b", "archaic"),
    Rule(r"\b(any|some|every)body\b", "“anyone”, “someone”, “everyone”"),
    Rule(r"^(hide|delete|open|keep|remove|save|show|play) (it|my|me)\b", "buttons: verb and noun"),
    Rule(r"^you may choose\b", "a hint is an imperative: “Choose …”"),
    Rule(r"(?-i:^whether\b)", "a label is a phrase with a capital: “A bot takes over”"),
    # Spelling is British; printed names of cards keep theirs.
    Rule(
        r"\b(colors?|center(s|ed)?|gray|favors?|honors?|neighbors?|catalogs?|farther)\b"
        r"|\b(travel|cancel|label)(er|ers|ed|ing)\b"
        r"|\b(recogn|organ|anal|random|initial|apolog|unrecogn)[iy]z(e|ed|es|ing)\b",
        "British spelling",
        ("conquest card-*",),
    ),
    # Typography.
    Rule(r"'", "apostrophe ’"),
    Rule(r'"', "quotation marks “ ”"),
    Rule(
        r"\s--?\s|—",
        "a colon, a comma or a new sentence instead of a dash",
        (
            "kernel schema.at_path",
            "kernel schema.at_key",
        ),  # a sentence of msgspec
    ),
    Rule(r"(?<!\w)[–-](?=\d)", "minus is −"),
    Rule(r"\.\.\.|\s…", "“…”, without a space before it"),
    Rule(r",$", "a separator ends with a space"),
)

# --- French -----------------------------------------------------------------------------------

FRENCH = (
    # Typography: no sign may begin a line.
    Rule(r"(?<!\u202f)[;?!]", "narrow no-break space (U+202F) before ; ? !"),
    Rule(r"(?<!\xa0):(?!//)", "no-break space (U+00A0) before a colon"),
    Rule(r"«(?!\xa0)|(?<!\xa0)»", "no-break spaces (U+00A0) inside « »"),
    Rule(r"[“”\"]", "quotation marks « »"),
    Rule(r"'", "apostrophe ’"),
    Rule(r"\.\.\.|\s…", "…, without a space before it"),
    Rule(
        r"\s--?\s|—",
        "no dash",
        (
            "kernel schema.at_path",
            "kernel schema.at_key",
        ),
    ),
    Rule(r"(?<!\w)[–-](?=\d)", "minus is −"),
    Rule(r",$", "a separator ends with a space"),
    # Undo: "reprendre un coup" is to play it again for many, "reprise" is resumption.
    Rule(
        r"\b(repren\w+|repris|défai\w+) (un|le|les|ce|ces|son|ses|des) (derniers? )?coups?\b"
        r"|\bcoups? repris\b|\bdéfaire\b|\breprises?\b",
        "Undo is annuler, annulation; a fork is a variante",
    ),
    Rule(r"\b(revenir|retour) en arrière\b", "annuler, or coup précédent"),
    Rule(r"\brejou\w+ (les|des|ses|ces) coups?\b|\brien à rejouer\b", "Redo is rétablir"),
    Rule(r"\bpas en (avant|arrière)\b", "coup suivant, coup précédent; a pas is a step of a game"),
    Rule(
        r"\bétapes?\b",
        "Undo step is annuler le coup; an étape is a stage",
        ("caravane *", "courtyard guide.orders.steps"),
    ),
    Rule(
        r"\bcontinuer d’ici\b|\bouvr\w+(-en)? une variante\b",
        "Fork from here is créer une variante",
    ),
    # One term for one thing.
    Rule(r"\bmatch(s|es)?\b", "partie"),
    Rule(r"\bcomment on joue\b", "comment jouer"),
    Rule(r"\bordre des places\b", "ordre des joueurs: a place is also a rank"),
    Rule(
        r"(^|[.:;]\W)qui (a|n’a|n’est|atteint|peut|ne)\b[^?]*$",
        "le joueur qui …, si vous …",
        ("page setup.seat_open_to",),  # a question without its mark
    ),
    Rule(r"\b(partie|course) (n’est pas encore |est )?finie\b", "terminée, in all games"),
    Rule(r"\btutoriels?\b|\bdidacticiels?\b", "Tutorial is leçon"),
    Rule(r"\bsièges?\b", "Seat is place"),
    Rule(r"\bcode de récupération\b", "code de secours"),
    Rule(r"\bhors connexion\b|\bsans réseau\b", "Offline is hors ligne"),
    Rule(r"\bparamètres\b", "Settings is Réglages"),
    Rule(r"\bpage «?\xa0?vous\b", "the page is called Réglages"),
    Rule(r"\bballes?\b", "Bale is ballot"),
    Rule(r"\bhors compte\b", "Free is gratuit"),
    Rule(
        r"\bdécisions? (\d|\{)",
        "Rule note is précision",
        ("kernel file.in_decision",),  # a decision in a game file
    ),
    Rule(r"\bfaire taire\b|\bchuchot|\bmurmur", "mettre en sourdine, message privé"),
    Rule(r"^à table\b", "Live is En direct: “À table !” calls for dinner"),
    # Anglicisms, and words left in English.
    Rule(r"\be-?mails?\b|\bmails?\b", "courriel"),
    Rule(r"\b(on|off)-?line\b", "en ligne, hors ligne"),
    Rule(r"\brobots?\b", "bot"),
    Rule(r"\b(login|logout|settings|device|undo|seed)\b|^(on|off|ask|back|last)$", "English"),
    Rule(r"\bdigita(l|le|ux)\b|\bsupporter\b|\bchecker\b", "anglicism"),
)
