// Browser history: in-app links, the current address, and overlays with their history entries.

import { handler } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { $B } from "../brython/runtime.js"

// When a link inside the app is clicked, call a function with its address instead of loading it.
function interceptLinks(callable) {
  const follow = handler(callable)
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href^='/']")
    if (link && !link.target && !link.hasAttribute("download") && !event.defaultPrevented && event.button === 0 &&
        !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      follow(link.getAttribute("href"))
    }
  })
}

// Return the current address as a tuple (path, query as a dict, hash).
function currentLocation() {
  const query = $B.empty_dict()
  for (const [name, value] of new URLSearchParams(location.search)) {
    $B.str_dict_set(query, name, value)
  }
  return $B.fast_tuple([location.pathname, query, location.hash])
}

// Each overlay has its own history entry, so that "back" closes it.
const overlays = [] // open overlays, bottom one first
let shownAddress = location.href
let isOwnStep = false // the next popstate is caused by alignHistory
let isReplaced = false // the page was replaced while an overlay's history entry was above its own

function pathOf(address) {
  return new URL(address, location.href).href.split(/[?#]/)[0]
}

function overlayDepth() {
  return (history.state && history.state.over) || 0
}

// Register an open overlay and return it for popOverlay. close(): closes the overlay.
function pushOverlay(close) {
  const layer = { close: handler(close) }
  overlays.push(layer)
  history.pushState({ over: overlays.length }, "")
  return layer
}

// Unregister a closed overlay and go back from its history entry, unless go() has replaced that
// entry with a page by then.
function popOverlay(layer) {
  const at = overlays.indexOf(layer)
  if (at >= 0) {
    overlays.splice(at, 1)
    setTimeout(alignHistory)
  }
}

function alignHistory() {
  if (overlayDepth() > overlays.length && !isOwnStep) {
    isOwnStep = true
    history.go(overlays.length - overlayDepth())
  }
}

function go(address, replace) {
  if (replace === true) {
    isReplaced ||= (isOwnStep || overlayDepth() > 0) && pathOf(address) !== pathOf(shownAddress)
    history.replaceState(history.state, "", address)
    shownAddress = location.href
    return
  }
  isOwnStep = isReplaced = false
  if (overlayDepth() > 0) {
    overlays.length = 0
    history.replaceState(null, "", address)
  } else {
    history.pushState(null, "", address)
  }
  shownAddress = location.href
}

// Handle back and forward steps: close the overlays above the new history entry, and call changed()
// unless the step only concerns overlays of the current page.
function followHistory(changed) {
  const follow = handler(changed)
  addEventListener("popstate", () => {
    const here = isReplaced || pathOf(location.href) === pathOf(shownAddress)
    isReplaced &&= overlayDepth() > 0
    const { hash } = location
    const linked = hash !== "" && hash !== new URL(shownAddress).hash // a link to another target
    const layered = !linked && (isOwnStep || overlays.length > 0 || overlayDepth() > 0)
    const asked = isOwnStep && here
    isOwnStep = false
    while (!asked && overlays.length > overlayDepth()) {
      overlays.pop().close()
    }
    if (layered && here) {
      history.replaceState(history.state, "", shownAddress) // keep the address being viewed
      while (overlays.length > overlayDepth()) { // opened since the step was requested
        history.pushState({ over: overlayDepth() + 1 }, "")
      }
      alignHistory()
      return
    }
    shownAddress = location.href
    follow()
    alignHistory()
  })
  alignHistory()
}

exportToPython({
  intercept_links: interceptLinks, current_location: currentLocation, go, push_overlay: pushOverlay,
  pop_overlay: popOverlay, follow_history: followHistory,
})
