// A ring around the control to tap next in a lesson; it follows the control across redraws.

import { toJson } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { laidOut } from "./focus.js"

let removeRing = () => {}

const EDGE_PX = 6  // the width of the ring, and 2 px between it and the edge of the viewport
const SETTLE_MS = 500  // time after which a panel has scrolled to its news
const ROUND_MAX_RATIO = 1.3  // a part of a drawing that is longer gets a rectangular ring

// The box of the ring around a node, which has one shape for each node: a circle around a part of a
// drawing that is about as wide as high, otherwise a rectangle. It is moved or cut so that the ring
// is within the viewport. Returns null if no part of the node is there.
function measureRing(node) {
  let { left, top, right, bottom, width, height } = node.getBoundingClientRect()
  const side = Math.max(width, height)
  const round = !(node instanceof HTMLElement) && side <= ROUND_MAX_RATIO * Math.min(width, height)
  const most = [innerWidth - EDGE_PX, innerHeight - EDGE_PX]
  if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) {
    return null
  }
  if (round) {
    const within = (low, high) => Math.max(EDGE_PX, Math.min(low, high - side))
    left = within((left + right - side) / 2, most[0])
    top = within((top + bottom - side) / 2, most[1])
    return { left, top, width: side, height: side, round }
  }
  left = Math.max(left, EDGE_PX)
  top = Math.max(top, EDGE_PX)
  width = Math.min(right, most[0]) - left
  height = Math.min(bottom, most[1]) - top
  return width > 0 && height > 0 ? { left, top, width, height, round } : null
}

// Whether a tap on the middle of the ring's box would hit another part of the page than the node: the
// node was scrolled out of the dock, or the card or the dock lies over the board there.
function isCovered(node, { left, top, width, height }) {
  const over = document.elementFromPoint(left + width / 2, top + height / 2)
  if (!over?.closest("#app")) {
    return false  // a message above the page, which goes away by itself
  }
  const part = node instanceof HTMLElement ? node : node.closest(".board-area")
  return !!part && !part.contains(over)
}

// Scroll a node into view; if something covers it there, scroll it to the centre.
function bringIntoView(node) {
  node.scrollIntoView({ block: "nearest", inline: "nearest" })
  const { x, y, width, height } = node.getBoundingClientRect()
  if (!node.contains(document.elementFromPoint(x + width / 2, y + height / 2))) {
    node.scrollIntoView({ block: "center", inline: "center" })
  }
}

// Keep the ring `node` around the first visible element among the first matches of each selector,
// in the order of the selectors; hide the ring if there is none.
function showHighlightRing(selectors, node) {
  removeRing()
  const wanted = toJson(selectors)
  let asked = 0, timer = 0, shownAt = null
  let isRedrawn = false  // whether nodes were added or removed, which may move the target
  const place = () => {
    asked = 0
    // A page under construction (data-rising) is not visible yet and will scroll to the top later.
    const found = !document.querySelector("[data-rising]") && wanted.map((each) => document.querySelector(each)).find((each) => each && laidOut(each))
    node.hidden = !found
    if (!found) {
      return
    }
    const shown = measureRing(found)
    const isOutOfReach = isRedrawn && (!shown || isCovered(found, shown))
    isRedrawn = false
    if ((shownAt !== found || isOutOfReach) && found instanceof HTMLElement) {
      bringIntoView(found)
    } else if (shownAt !== found) {
      found.closest(".board-area").scrollIntoView({ block: "nearest" })
    }
    if (shownAt !== found) {
      shownAt = found
      clearTimeout(timer)
      timer = setTimeout(lookAgain, SETTLE_MS)
    }
    const home = found.closest("dialog") || document.body
    if (node.parentNode !== home) {
      home.append(node)
    }
    const box = measureRing(found)
    if (!box || isCovered(found, box)) {
      node.hidden = true
      return
    }
    const look = `left:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px`
    if (node.getAttribute("style") !== look) {
      node.setAttribute("style", look)
    }
    node.classList.toggle("round", box.round)
  }
  // A panel may scroll to its news after the target was brought into view.
  const lookAgain = () => {
    isRedrawn = true
    soon()
  }
  const soon = () => { asked = asked || requestAnimationFrame(place) }
  const changes = new MutationObserver((records) => {
    isRedrawn ||= records.some(({ type }) => type === "childList")
    soon()
  })
  changes.observe(document.getElementById("app"), { subtree: true, childList: true, attributes: true })
  const left = new AbortController()
  for (const name of ["scroll", "resize", "transitionend"]) {
    addEventListener(name, soon, { capture: true, signal: left.signal })
  }
  removeRing = () => {
    changes.disconnect()
    left.abort()
    cancelAnimationFrame(asked)
    clearTimeout(timer)
    node.remove()
  }
  soon()
}

exportToPython({
  show_highlight_ring: showHighlightRing, hide_highlight_ring: () => removeRing(),
})
