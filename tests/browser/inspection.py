"""Checks that a sweep runs on a page: covered, off-screen or small controls, and axe violations."""

from collections.abc import Iterable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.phone import fits

# Finds covered or off-screen controls: buttons and fields after scrolling them into view, marked
# cells where they are. Tests the centre and four points towards the corners.
HIDDEN = """() => {
  const found = []
  const dialogs = [...document.querySelectorAll("dialog[open]")]
  const inFront = node => {
    const { x, y, width, height } = node.getBoundingClientRect()
    const hit = document.elementFromPoint(x + width / 2, y + height / 2)
    return hit && hit.closest("dialog") === node
  }
  const top = dialogs.find(inFront) || dialogs.at(-1) || document
  const check = (node, box, reach, mine) => {
    for (const [across, down] of [[0, 0], [-1, -1], [1, -1], [-1, 1], [1, 1]]) {
      const x = box.x + box.width / 2 + across * reach * box.width
      const y = box.y + box.height / 2 + down * reach * box.height
      const hit = document.elementFromPoint(x, y)
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight || !hit || !mine(hit)) {
        const name = node.getAttribute("aria-label") || node.textContent.slice(0, 40)
        const by = hit ? hit.outerHTML.slice(0, 80) : "nothing"
        found.push(`${node.tagName} ${node.getAttribute("class")} "${name}" at ` +
          `${Math.round(x)},${Math.round(y)}: ${by}`)
        return
      }
    }
  }
  for (const node of top.querySelectorAll("button, a.button, input, select, summary")) {
    const label = node.closest("label")
    const all = label || node
    if (node.checkVisibility() && all.getBoundingClientRect().width > 1) {
      all.scrollIntoView({ block: "nearest", inline: "nearest" })
      const box = all.getBoundingClientRect()
      // What is higher than the screen is reached where it is in sight.
      const part = box.height > innerHeight ? new DOMRect(box.x, 0, box.width, innerHeight) : box
      check(node, part, 0.3, hit => all.contains(hit))
    }
  }
  if (top === document) {
    for (const node of document.querySelectorAll(".legal")) {
      const board = node.ownerSVGElement
      board.scrollIntoView({ block: "nearest" })
      check(node, node.getBoundingClientRect(), 0.25, hit => board.contains(hit))
    }
    for (const node of document.querySelectorAll(".tap")) {
      node.scrollIntoView({ block: "center" })
      check(node, node.getBoundingClientRect(), 0.25, hit => hit === node)
    }
  }
  return found
}"""
AUDIT = """() => {
  const seen = (node) => {
    const box = node.getBoundingClientRect()
    return node.checkVisibility() && box.width > 1 && box.height > 1
  }
  const small = []
  const targets = "button, a.button, input, select, summary, .table-card"
  for (const node of document.querySelectorAll(targets)) {
    const box = (node.closest("label") || node).getBoundingClientRect()
    // On 320 px the seven kinds of the expert game share one row.
    const least = node.matches(".kind") ? 40 : 48
    if (seen(node) && (box.width < least || box.height < 48)) {
      small.push(`${node.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)
    }
  }
  const fine = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    if (node.data.trim() && node.parentElement.checkVisibility() &&
        parseFloat(getComputedStyle(node.parentElement).fontSize) < 14) {
      fine.push(node.data)
    }
  }
  return { small, fine }
}"""
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
# Unavailable controls explain themselves when tapped, which the `disabled` attribute prevents.
MUTE = """() => [...document.querySelectorAll("button:disabled, input:disabled, select:disabled")]
  .filter(node => node.checkVisibility())
  .map(node => node.outerHTML.slice(0, 90) + " says not why")"""


# Rules that axe disables by default but that matter to people who use voice control or have
# difficulty pointing.
MORE = ("label-content-name-mismatch", "target-size", "td-has-header", "p-as-heading")
OPTIONS = {
    "resultTypes": ["violations"],
    "rules": {name: {"enabled": True} for name in MORE},
}
NIGHT = {"resultTypes": ["violations"], "runOnly": ["color-contrast", "link-in-text-block"]}
"""Dark mode differs in its colours only."""


# Runs without focus: the skip link covers the bar while it is focused.
SETTLED = """() => {
  document.activeElement.blur()
  return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
}"""


WIDTHS = ((390, 844), (320, 640), (1280, 800))
"""A usual and a small phone, and a computer."""


def misfits(page: Page, sizes: Iterable[tuple[int, int]] = WIDTHS) -> list[str]:
    """List what is too small to tap or read, or wider than the window, at each size of the window.

    The window keeps its size.
    """
    before, found = page.viewport_size, []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(FRAMES)
        small: dict[str, list[str]] = page.evaluate(AUDIT)
        found += [f"{width}: {each}" for each in (*small["small"], *small["fine"])]
        if not fits(page):
            found.append(f"{width}: scrolls sideways")
    if before is not None:
        page.set_viewport_size(before)
        page.evaluate(FRAMES)
    return found


def hidden(page: Page) -> list[str]:
    """List tap targets that cannot be reached, and nonsensical texts of the page."""
    page.evaluate(SETTLED)
    found: list[str] = page.evaluate(HIDDEN)
    if "[object" in str(page.locator("body").text_content()):
        found.append("[object")
    if not fits(page):
        found.append("scrolls sideways")
    return found


def crowded(page: Page) -> list[str]:
    """List what is too small to tap or read, or disabled without an explanation."""
    found: dict[str, list[str]] = page.evaluate(AUDIT)
    mute: list[str] = page.evaluate(MUTE)
    return found["small"] + found["fine"] + mute


def complaints(page: Page, options: dict[str, Any] = OPTIONS) -> list[str]:
    """List the axe violations of the page as it is now."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("options => axe.run(options)", options)
    return [
        f"{fault['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]
