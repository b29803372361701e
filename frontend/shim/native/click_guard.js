// One gesture, one control.

// What opens while a finger is down lies under that finger, and the click of the same tap would
// land on it; so would the second tap of a double tap. A click therefore counts only on what
// was there when its finger came down. Clicks without a pointer (keyboard, screen reader) count.
const CONTROLS = "a[href], button, input, select, textarea, summary, label"
const FINGER_REACH_PX = 24 // pixels round a finger in which browsers look for something to hit
const DOUBLE_PRESS_MS = 350 // milliseconds from the first to the second press of a double tap
const REPLACED_BUTTON_MS = 1000 // milliseconds in which a button that plays may not become another one under the finger
const LATE_CLICK_MS = 1000 // and after which a click cannot belong to a press any more
const guardedNodes = new WeakSet()
let press = null

function guardClicks(node, name) {
  if (name === "click" && node instanceof Element) {
    guardedNodes.add(node)
  }
}

function controlOf(node) {
  for (let at = node; at instanceof Element; at = at.parentNode) {
    if (at.matches(CONTROLS) || guardedNodes.has(at)) {
      return (at.labels && at.labels[0]) || at
    }
  }
  return null
}

// What tells a control from others: a redrawn one looks the same in the same place.
function appearanceOf(node) {
  const { x, y, width, height } = node.getBoundingClientRect()
  const words = node.getAttribute("aria-label") || node.textContent
  return [x, y, width, height].map(Math.round).join() + node.getAttribute("class") + words
}

// What a button does that is primary or sends a command: its type of command, or its words; null for
// any other control.
function meaningOf(node) {
  return node && node.matches(".primary, [data-does]") ? node.dataset.does || withoutNumbers(node.textContent) : null
}

// Whether a press is on such a button that has taken the place of another one within the second.
function hasReplaced(before, now) {
  const near = Math.hypot(now.x - before.x, now.y - before.y) <= FINGER_REACH_PX
  const changed = before.meaning && now.meaning && before.meaning !== now.meaning
  return near && changed && !now.mouse && now.time - before.time < REPLACED_BUTTON_MS
}

const withoutNumbers = (look) => look.replace(/\d+/g, "#") // also after it has counted on

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
    id: event.pointerId, own, looks, meaning: meaningOf(own), refused: false, echo: null, time: event.timeStamp, lifted: Infinity,
    x: event.clientX, y: event.clientY, mouse: event.pointerType === "mouse",
  }
}

// Whether a press in the place of another is on something that was not there at the other.
function isStrange(before, now) {
  if (Math.hypot(now.x - before.x, now.y - before.y) > FINGER_REACH_PX || !now.own || now.own === before.own) {
    return false
  }
  return !new Set(Array.from(before.looks, withoutNumbers)).has(withoutNumbers(appearanceOf(now.own)))
}

// Presses that follow quickly belong to the first one too.
function refusePress(press) {
  Object.assign(press, { ...press.echo, refused: true })
}

// A second finger beside the one that is known. When what lies under a finger is drawn anew, Firefox
// says nothing of its lifting, and calls the next touch of the same finger a second one.
function isSecondFinger(event) {
  return !event.isPrimary && press !== null && event.pointerId !== press.id
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
  } else if (press !== null && isStrange(press, now)) {
    now.echo = { own: press.own, looks: press.looks }
    // Of a mouse the browser itself says, in the click, whether it is the second of two. What it
    // counts of a finger goes on for longer than anybody takes to tap twice in earnest.
    if (!now.mouse && now.time - press.time < DOUBLE_PRESS_MS) {
      refusePress(now)
      event.stopImmediatePropagation()
    }
  }
  press = now
}, true)

for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, (event) => {
    if (press !== null && !isSecondFinger(event)) {
      press.lifted = event.timeStamp
    }
  }, true)
}

// The mousedown that a browser makes of a tap would open a list or focus a field.
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
    if (press.refused || !known) {
      event.stopImmediatePropagation()
      event.preventDefault()
    }
  }, true)
}
