// Click guard: one gesture activates one control.

import { exportToPython } from "../brython/python_module.js"

// Content that appears during a tap may lie under the finger and would receive the click of the
// same tap, or the second tap of a double tap. A click therefore counts only on a control that was
// there on pointerdown. Clicks without a pointer (keyboard, screen reader) always count.
const CONTROLS = "a[href], button, input, select, textarea, summary, label"
const FINGER_REACH_PX = 24 // how far from the touch point browsers look for a tap target
const DOUBLE_PRESS_MS = 350 // maximum time between the presses of a double tap
const REPLACED_BUTTON_MS = 1000 // how long a button that replaces another is inert
const LATE_CLICK_MS = 1000 // how long after pointerup a click still belongs to the press
const UNEXPECTED_MS = 1000 // how long a dialog that opened by itself is inert
const guardedNodes = new WeakSet()
const openedAt = new WeakMap() // when dialogs opened by themselves, as performance.now() gives it
let press = null

export function guardClicks(node, name) {
  if (name === "click" && node instanceof Element) {
    guardedNodes.add(node)
  }
}

// Refuse taps in a dialog that has just opened by itself: they were meant for what it covers.
function holdTaps(dialog) {
  openedAt.set(dialog, performance.now())
}

function controlOf(node) {
  for (let at = node; at instanceof Element; at = at.parentNode) {
    if (at.matches(CONTROLS) || guardedNodes.has(at)) {
      return (at.labels && at.labels[0]) || at
    }
  }
  return null
}

// Return a string that identifies a control across redraws: size, class and label.
function lookOf(node) {
  const { width, height } = node.getBoundingClientRect()
  const words = node.getAttribute("aria-label") || node.textContent
  return [width, height].map(Math.round).join() + node.getAttribute("class") + words
}

// Return a string that identifies a control in its place across redraws: position and look.
function appearanceOf(node) {
  const { x, y } = node.getBoundingClientRect()
  return [x, y].map(Math.round).join() + " " + lookOf(node)
}

// Return what a primary or command button does: its command type, otherwise its label without
// numbers. Return null for any other control.
function meaningOf(node) {
  return node && node.matches(".primary, [data-does]") ? node.dataset.does || withoutNumbers(node.textContent) : null
}

// Return whether a press hits a primary or command button that has replaced another one since a
// press at the same position less than REPLACED_BUTTON_MS ago. Does not apply to mice.
function hasReplaced(before, now) {
  const near = Math.hypot(now.x - before.x, now.y - before.y) <= FINGER_REACH_PX
  const changed = before.meaning && now.meaning && before.meaning !== now.meaning
  return near && changed && !now.mouse && now.time - before.time < REPLACED_BUTTON_MS
}

// Return whether a press was meant for what a dialog has just covered. Does not apply to mice.
function isUnexpected(now) {
  const dialog = now.own && now.own.closest("dialog")
  return !now.mouse && now.time - openedAt.get(dialog) < UNEXPECTED_MS
}

const withoutNumbers = (look) => look.replace(/\d+/g, "#") // ignores changes of counters

function pressAt(event) {
  const own = controlOf(event.target)
  const looks = new Set(own ? [appearanceOf(own)] : [])
  for (const dx of [-FINGER_REACH_PX, 0, FINGER_REACH_PX]) {
    for (const dy of [-FINGER_REACH_PX, 0, FINGER_REACH_PX]) {
      const near = controlOf(document.elementFromPoint(event.clientX + dx, event.clientY + dy))
      if (near) {
        looks.add(appearanceOf(near))
      }
    }
  }
  return {
    id: event.pointerId, own, look: own && lookOf(own), looks, meaning: meaningOf(own), refused: false, echo: null,
    clicked: false, completed: false, redrawn: false, time: event.timeStamp, lifted: Infinity,
    x: event.clientX, y: event.clientY, mouse: event.pointerType === "mouse",
  }
}

// Return whether a press at the position of an earlier one hits a control that was not there then.
function isStrange(before, now) {
  if (Math.hypot(now.x - before.x, now.y - before.y) > FINGER_REACH_PX || !now.own || now.own === before.own) {
    return false
  }
  return !new Set(Array.from(before.looks, withoutNumbers)).has(withoutNumbers(appearanceOf(now.own)))
}

// Refuse a press as part of an earlier gesture; later presses are compared with the earlier press.
function refusePress(press) {
  Object.assign(press, { ...press.echo, refused: true })
}

// Return whether an event comes from a second finger. isPrimary alone is not enough: when the node
// under a finger is redrawn, Firefox sends no pointerup and reports the next touch as non-primary.
function isSecondFinger(event) {
  return !event.isPrimary && press !== null && event.pointerId !== press.id
}

// Notes whether the pressed control is taken out of the page during the press, perhaps to be put
// back elsewhere.
const redraws = new MutationObserver((records) => {
  const removed = records.flatMap((record) => Array.from(record.removedNodes))
  press.redrawn ||= removed.some((node) => node.contains(press.own))
})

// Click what is under the pointer and looks the same as the pressed control, if a redraw has taken
// that out between press and release: the browser then sends no click (WebKit for touches, all for
// mice). A click that it sends nevertheless is not counted twice.
function completeTap(press, event) {
  if (press.refused || !press.own || !(press.redrawn || !press.own.isConnected)) {
    return
  }
  const target = controlOf(document.elementFromPoint(event.clientX, event.clientY))
  if (target !== null && lookOf(target) === press.look) {
    setTimeout(() => {
      if (!press.clicked && target.isConnected) {
        press.completed = true
        target.click()
      }
    })
  }
}

addEventListener("pointerdown", (event) => {
  if (isSecondFinger(event)) {
    return
  }
  const now = pressAt(event)
  if (press !== null && hasReplaced(press, now)) {
    now.refused = true
    now.meaning = press.meaning
    event.stopImmediatePropagation()
  } else if (isUnexpected(now)) {
    now.refused = true
    event.stopImmediatePropagation()
  } else if (press !== null && isStrange(press, now)) {
    now.echo = { own: press.own, looks: press.looks }
    // For a mouse, the browser's click count shows whether it is a double click. For touch, the
    // count keeps rising for too long and would include deliberate taps.
    if (!now.mouse && now.time - press.time < DOUBLE_PRESS_MS) {
      refusePress(now)
      event.stopImmediatePropagation()
    }
  }
  press = now
  redraws.observe(document, { childList: true, subtree: true })
}, true)

for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, (event) => {
    if (press !== null && !isSecondFinger(event)) {
      press.lifted = event.timeStamp
      redraws.disconnect()
      if (name === "pointerup") {
        completeTap(press, event)
      }
    }
  }, true)
}

// Guard mousedown too: browsers synthesise one for a tap, which opens selects and focuses fields.
for (const name of ["mousedown", "click"]) {
  addEventListener(name, (event) => {
    if (press === null || event.detail === 0 || event.timeStamp - press.lifted > LATE_CLICK_MS) {
      return
    }
    if (press.echo && press.mouse && event.detail > 1) {
      refusePress(press)
    }
    const target = controlOf(event.target)
    const known = target === null || target === press.own || press.looks.has(appearanceOf(target))
    if (press.refused || press.completed || !known) {
      event.stopImmediatePropagation()
      event.preventDefault()
    } else if (name === "click" && target !== null) {
      press.clicked = true
    }
  }, true)
}

exportToPython({ hold_taps: holdTaps })
