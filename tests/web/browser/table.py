"""A page as its reader uses it: the mouse over provinces, keys, buttons by their names."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from tests.patience import PATIENCE

from .served import Served

__all__ = ["Table"]


class Table:
    """A page with a board; `faults` are what must not happen on it."""

    def __init__(self, page: Any, server: Served) -> None:
        self.page, self.server, self.study = page, server, ""
        self.faults: list[str] = []
        self._geometry: dict[str, Any] = {}
        self._heard = {"pageerror": self._failed, "dialog": self._dialog, "console": self._said}
        for event, hear in self._heard.items():
            page.on(event, hear)

    def leave(self) -> None:
        """Leave the page as it was before it was opened, for another study."""
        context = self.page.context
        for other in context.pages[1:]:
            other.close()
        for event, hear in self._heard.items():
            self.page.remove_listener(event, hear)
        self.page.mouse.up()
        self.page.goto("about:blank")
        context.clear_cookies()
        context.clear_permissions()

    def _failed(self, error: Any) -> None:
        self.faults.append(f"error: {error}")

    def _said(self, said: Any) -> None:
        if said.type == "error":
            self.faults.append(f"console: {said.text}")

    def _dialog(self, dialog: Any) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def visit(self, study: str = "", node: str = "0") -> None:
        """Come by the address with the token, to a node of a study."""
        self.page.goto(self.server.address + (f"#study={study}&node={node}" if study else ""))
        self.page.locator("#board .picture svg").wait_for()
        self.until(lambda: "node=" in self.page.url)
        self.study = re.findall(r"study=(\w+)", self.page.url)[0]

    def until(self, wanted: Callable[[], bool], seen: Callable[[], object] = str) -> None:
        """Wait until something is so; the page's policy forbids to wait within it."""
        end = time.monotonic() + PATIENCE
        while not wanted():
            assert time.monotonic() < end, seen()
            self.page.wait_for_timeout(25)

    @property
    def node(self) -> str:
        """The node that the page shows, as its address says."""
        return str(re.findall(r"node=(\w+)", self.page.url)[0])

    @property
    def phase(self) -> str:
        """The phase that the page shows, in words."""
        return str(self.page.locator("output.phase").text_content())

    def wait_for_phase(self, words: str) -> None:
        """Wait until a phase is shown."""
        self.page.locator("output.phase", has_text=words).wait_for()

    def at(self, location: str, mark: str = "unit") -> tuple[float, float]:
        """Where a place of the board is on the screen."""
        if not self._geometry:
            self._geometry = self.server.call("GET", f"/api/studies/{self.study}/geometry")
        places = self._geometry["places"]
        x, y = (places.get(location) or places[location.partition("/")[0]])[mark]
        # Whatever part of the board is seen, and however near.
        seen = """([x, y]) => {
            const sheet = document.querySelector("#board .hits").getScreenCTM();
            const at = new DOMPoint(x, y).matrixTransform(sheet);
            return [at.x, at.y];
        }"""
        across, down = self.page.evaluate(seen, [x, y])
        return float(across), float(down)

    def click(self, *locations: str) -> None:
        """Click provinces, one after the other."""
        for location in locations:
            self.page.mouse.click(*self.at(location))

    def drag(self, begin: str, end: str, *, shift: bool = False) -> None:
        """Drag a unit with the mouse."""
        if shift:
            self.page.keyboard.down("Shift")
        self.page.mouse.move(*self.at(begin))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(end), steps=6)
        self.page.mouse.up()
        if shift:
            self.page.keyboard.up("Shift")

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def button(self, name: str, within: str = "body") -> Any:
        """A button by its exact name."""
        return self.page.locator(within).get_by_role("button", name=name, exact=True)

    def open_tab(self, name: str) -> None:
        """Open a panel beside the board."""
        self.page.get_by_role("tab", name=name, exact=True).click()

    def pick(self, text: str) -> None:
        """Choose in the menu that asks which order is meant."""
        self.page.locator("[role=menu]").get_by_role("menuitem", name=text, exact=True).click()

    @property
    def orders(self) -> list[str]:
        """The orders that stand beside the board."""
        return [
            str(text)
            for text in self.page.locator("#orders li.order:not(.missing) .text").all_text_contents()
        ]

    def wait_for_orders(self, *orders: str) -> None:
        """Wait until just these orders stand beside the board, in any order."""
        self.until(lambda: sorted(self.orders) == sorted(orders), lambda: self.orders)

    def adjudicate(self, words: str) -> None:
        """Carry out what is shown, and go on from its results; wait for the phase that follows."""
        self.button("Adjudicate", "#stepper").click()
        self.go_on(words)

    @property
    def on(self) -> Any:
        """The button that goes on from results that are shown."""
        return self.button("Next phase", "#stepper").and_(self.page.locator(".strong"))

    def go_on(self, words: str) -> None:
        """Go on from results that are shown to the phase that follows."""
        self.on.click()
        self.wait_for_phase(words)
