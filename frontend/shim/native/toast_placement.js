// Placement of toasts, and toasts that explain why a control is blocked.

import { exportToPython } from "../brython/python_module.js"

// Keep a node at the topmost position where it covers the fewest controls, until it is empty.
function placeToast(node) {
  const taps = "button:enabled, a[href], input:enabled, select:enabled, summary, .legal"
  const sheet = Array.from(document.querySelectorAll("dialog[open]")).pop()
  if (node.showPopover) { // the top layer, above sheets
    if (node.matches(":popover-open")) {
      node.hidePopover()
    }
    node.showPopover()
  }
  function settle() {
    if (!node.firstChild) {
      return
    }
    const height = node.offsetHeight
    const boxes = Array.from((sheet && sheet.open ? sheet : document).querySelectorAll(taps), (each) => each.getBoundingClientRect())
      .filter((box) => box.width && box.height && box.bottom > 0 && box.top < innerHeight)
    const wide = Array.from(node.children, (each) => each.getBoundingClientRect())
    const left = Math.min(...wide.map((box) => box.left))
    const right = Math.max(...wide.map((box) => box.right))
    let best = 0
    let least = Infinity
    for (let top = 4; top + height <= innerHeight - 4 && least > 0; top += 4) {
      const covered = boxes.filter((box) => box.left < right && box.right > left &&
        box.top < top + height && box.bottom > top).length
      if (covered < least) {
        least = covered
        best = top
      }
    }
    node.style.top = best + "px"
    setTimeout(settle, 200)
  }
  settle()
}

function removeReasons() {
  document.querySelectorAll("#toasts .why").forEach((line) => line.remove())
}

// Show why an action is not possible, for 6 seconds or until the next tap, replacing an earlier
// toast of this kind.
function explain(words) {
  const home = document.getElementById("toasts")
  removeReasons()
  const line = document.createElement("div")
  line.className = "toast why"
  line.textContent = words
  home.append(line)
  placeToast(home)
  setTimeout(() => line.remove(), 6000)
}

document.addEventListener("pointerdown", removeReasons, true)

// When a control with data-why is clicked, show that reason instead of performing its action.
document.addEventListener("click", (event) => {
  const barred = event.target.closest && event.target.closest("[data-why]")
  if (barred) {
    event.preventDefault()
    event.stopImmediatePropagation()
    explain(barred.dataset.why)
  }
}, true)

exportToPython({ place_toast: placeToast, explain })
