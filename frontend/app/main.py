"""The entry point: starts the app at the current address."""

from _native import follow_history, guard_focus, intercept_links, soon

from frontend.app import client, newer, people, router

client.on_recovered(router.refresh_home)
guard_focus()
intercept_links(router.navigate)
follow_history(router.show_page)
for each in (people.begin, newer.begin, router.show_page):
    soon(each)
