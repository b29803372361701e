// A ring around the control to tap next in a lesson; it follows the control across redraws.

import { toJson } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { _b_ } from "../brython/runtime.js"
import { laidOut } from "./focus.js"

let removeRing = () => {}

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
  let asked = 0, shownAt = null
  const place = () => {
    asked = 0
    // A page under construction (data-rising) is not visible yet and will scroll to the top later.
    const found = !document.querySelector("[data-rising]") && wanted.map((each) => document.querySelector(each)).find((each) => each && laidOut(each))
    node.hidden = !found
    if (!found) {
      return
    }
    if (shownAt !== found && found instanceof HTMLElement) {
      bringIntoView(found)
    } else if (shownAt !== found) {
      found.closest(".board-area").scrollIntoView({ block: "nearest" })
    }
    shownAt = found
    const home = found.closest("dialog") || document.body
    if (node.parentNode !== home) {
      home.append(node)
    }
    const { x, y, width, height } = found.getBoundingClientRect()
    const look = `left:${x}px;top:${y}px;width:${width}px;height:${height}px`
    if (node.getAttribute("style") !== look) {
      node.setAttribute("style", look)
    }
    node.classList.toggle("round", !(found instanceof HTMLElement))
  }
  const soon = () => { asked = asked || requestAnimationFrame(place) }
  const changes = new MutationObserver(soon)
  changes.observe(document.getElementById("app"), { subtree: true, childList: true, attributes: true })
  const left = new AbortController()
  for (const name of ["scroll", "resize", "transitionend"]) {
    addEventListener(name, soon, { capture: true, signal: left.signal })
  }
  removeRing = () => {
    changes.disconnect()
    left.abort()
    cancelAnimationFrame(asked)
    node.remove()
  }
  soon()
  return _b_.None
}

function hideHighlightRing() {
  removeRing()
  return _b_.None
}

exportToPython({
  show_highlight_ring: showHighlightRing, hide_highlight_ring: hideHighlightRing,
})
