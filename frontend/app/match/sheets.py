"""The sheets of a match page."""

from frontend.app.components.sheet import Sheet


class Sheets:
    """All sheets of one match page (``all``), of which at most one is meant to be open."""

    def __init__(self) -> None:
        self.all: list[Sheet] = []

    def is_any_open(self) -> bool:
        """Return whether a sheet is open over the page."""
        return any(sheet.is_open for sheet in self.all)

    def close_all(self) -> None:
        """Close all sheets."""
        for sheet in self.all:
            sheet.close()
