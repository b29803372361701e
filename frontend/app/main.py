"""The entry point of the app, which shows the page of the current address."""

from _native import call_soon, follow_history, guard_focus, intercept_links

from frontend.app import router
from frontend.app.api import client, session, update_notice

client.outbox.recovered.subscribe(router.refresh_home)
guard_focus()
intercept_links(router.navigate)
follow_history(router.show_page)
for each in (session.restore, update_notice.watch_for_updates, router.show_page):
    call_soon(each)
