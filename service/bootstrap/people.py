"""Players, their devices, lists of matches, contacts and personal data."""

from contextlib import AsyncExitStack

from msgspec import Struct

from service.bootstrap.storage import Storage
from service.http.hosts import Hosts
from service.matches.lists import MatchLists
from service.players.authentication import Authenticator
from service.players.identity import PlayerStore
from service.social.contacts.contact_list import Contacts
from service.social.personal_store import PersonalStore


class People(Struct, frozen=True):
    """Players, their devices, lists of matches, contacts and personal data."""

    players: PlayerStore
    authenticator: Authenticator
    personal: PersonalStore
    lists: MatchLists
    contacts: Contacts


def build_people(stack: AsyncExitStack, *, storage: Storage, hosts: Hosts) -> People:
    """Build the player services; the match lists are closed with the stack."""
    players = PlayerStore(storage.store)
    personal = PersonalStore(storage.store)
    lists = MatchLists(
        projector=storage.projector,
        runner=storage.runner,
        read_models=storage.read_models,
        store=storage.store,
        personal=personal,
        run_write=storage.writer.run,
    )
    stack.callback(lists.close)
    return People(
        players=players,
        authenticator=Authenticator(players, storage.writer.run, hosts),
        personal=personal,
        lists=lists,
        contacts=Contacts(personal, storage.read_models, lists),
    )
