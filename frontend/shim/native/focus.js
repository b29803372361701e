// Keeping the keyboard focus when the focused node is redrawn or disappears.

import { exportToPython } from "../brython/python_module.js"
import { $B } from "../brython/runtime.js"

// Call a function that redraws, then restore the focus to the field of the same name (for a radio
// button, also of the same value).
function keepFocus(callable) {
  const had = document.activeElement
  const { name, value } = had || {}
  $B.$call(callable)
  if (name && !had.isConnected) {
    const again = Array.from(document.getElementsByName(name))
      .find((node) => node.type !== "radio" || node.value === value)
    if (again) {
      again.focus()
    }
  }
}

// Without guardFocus, redrawing the focused control would send keyboard and screen reader users
// back to the top of the page. The focus moves to a control with the same label, otherwise to one
// in the same container, otherwise to the board, otherwise to any control.
const FOCUSABLE = "button, a[href], input, select, textarea, summary, [tabindex='0']"
let focused = null

// Whether a node is displayed; older browsers have no `checkVisibility`.
export const laidOut = (node) => node.getClientRects().length > 0

function labelled(node) {
  return (node.getAttribute("aria-label") || node.textContent || "").replace(/\d+/g, "").trim()
}

function nextBest() {
  const { node, words, above } = focused
  const app = document.getElementById("app")
  const nodes = (root) => Array.from(root.querySelectorAll(FOCUSABLE))
    .filter((each) => laidOut(each) && !each.matches("[type='text'], textarea, .reader"))
  const root = document.querySelector("dialog[open]") || app
  const same = nodes(root).filter((each) => each.tagName === node.tagName && labelled(each) === words)
  const beside = above.find((each) => each.isConnected && each !== app && nodes(each).length)
  const board = document.querySelector(".board-area > [tabindex]")
  return [...same, ...(beside ? nodes(beside) : []), board, ...nodes(root)]
}

function guardFocus() {
  document.addEventListener("focusin", ({ target }) => {
    const above = []
    for (let node = target.parentElement; node && node.id !== "app"; node = node.parentElement) {
      above.push(node)
    }
    focused = { node: target, words: labelled(target), above }
  })
  // Do not trap the focus: tabbing past the last control leaves the page.
  let tabbing = false
  document.addEventListener("keydown", ({ key }) => {
    tabbing = key === "Tab"
    setTimeout(() => { tabbing = false })
  }, true)
  document.addEventListener("focusout", ({ relatedTarget }) => {
    if (tabbing && !relatedTarget) {
      focused = null
    }
  })
  document.addEventListener("pointerdown", ({ target }) => {
    if (!target.closest(FOCUSABLE)) {
      focused = null
    }
  }, true)
  const restore = () => {
    const active = document.activeElement
    if (focused === null || (active !== document.body && !active.disabled)) {
      return
    }
    // Try the node itself first: a node that was moved within the page loses the focus too.
    for (const each of [focused.node, ...nextBest()]) {
      if (each && each.isConnected && !each.disabled) {
        each.focus({ preventScroll: true })
        if (document.activeElement === each) {
          return
        }
      }
    }
  }
  // Browsers blur a disabled or hidden node only in the next frame.
  const changed = (changes) => {
    // When a dialog closes, the browser itself gives the focus back, but only after this.
    if (!changes.some(({ attributeName }) => attributeName === "open")) {
      restore()
    }
    requestAnimationFrame(() => setTimeout(restore))
  }
  new MutationObserver(changed).observe(document.getElementById("app"), {
    childList: true, subtree: true, attributeFilter: ["disabled", "hidden", "open"],
  })
}

exportToPython({ keep_focus: keepFocus, guard_focus: guardFocus })
