"""The outbox alone: what happens to its rows while a sender holds them."""

from contextlib import closing

from msgspec.structs import replace

from service.notifications.outbox import Outbox
from service.notifications.triggers import Notification
from service.settings import Settings
from service.store_setup import open_store

WAY = (
    "INSERT INTO {0}notice_ways (id, player, way, address, device, name, secret, base, language,"
    " created, confirmed, problem) VALUES ('w','bob','webhook','','','','','','en',0,1,'')"
)


def test_row_with_a_message_newer_than_its_claim_is_not_dropped(settings: Settings) -> None:
    """The sender may have loaded the match before the second message was written."""
    with closing(open_store(settings)) as store:
        with store.transaction(commit=True) as sql:
            sql.run(WAY)
        outbox, first = Outbox(store), Notification("bob", "m", "word", 7, 3)
        outbox.add(first, 1000)
        [claimed] = outbox.claim(1000)
        outbox.add(replace(first, version=4), 1001)
        assert outbox.claim(1001) == [], "it is still claimed"
        outbox.drop(claimed)
        [again] = outbox.claim(1001)
        assert (again.version, again.created) == (3, 1001)
        outbox.drop(again)
        assert outbox.claim(1001) == []
