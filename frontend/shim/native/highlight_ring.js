// A ring round what is to be tapped next in a lesson. It stays there while the page is drawn anew.

let removeRing = () => {}

// Brings something into sight, and out from under what stands over it.
function bringIntoView(node) {
  node.scrollIntoView({ block: "nearest", inline: "nearest" })
  const { x, y, width, height } = node.getBoundingClientRect()
  if (!node.contains(document.elementFromPoint(x + width / 2, y + height / 2))) {
    node.scrollIntoView({ block: "center", inline: "center" })
  }
}

// Lays the node round the first of some things (selectors) that is in the page; none: hides it.
function showHighlightRing(selectors, node) {
  removeRing()
  const wanted = toJson(selectors)
  let asked = 0, shownAddress = null
  const place = () => {
    asked = 0
    // What still rises is not seen yet, and its page goes to the top once more.
    const found = !document.querySelector("[data-rising]") && wanted.map((each) => document.querySelector(each)).find((each) => each && laidOut(each))
    node.hidden = !found
    if (!found) {
      return
    }
    if (shownAddress !== found && found instanceof HTMLElement) {
      bringIntoView(found)
    } else if (shownAddress !== found) {
      found.closest(".board-area").scrollIntoView({ block: "nearest" })
    }
    shownAddress = found
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

Object.assign(native, {
  show_highlight_ring: showHighlightRing, hide_highlight_ring: hideHighlightRing,
})
