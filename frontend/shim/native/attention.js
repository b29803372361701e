// Whether the user is active, judged by input; a tab that is merely open may have been left so for
// days.

import { exportToPython } from "../brython/python_module.js"

const ATTENTION_MS = 60_000
let lastInputAt = document.hidden ? -Infinity : performance.now()
export const inputListeners = new Set()

function recordInput() {
  if (document.hidden) {
    return
  }
  lastInputAt = performance.now()
  inputListeners.forEach((call) => call())
}

for (const name of ["pointerdown", "keydown", "wheel", "scroll"]) {
  addEventListener(name, recordInput, { capture: true, passive: true })
}
document.addEventListener("visibilitychange", recordInput)

// Return the time of the last input, as performance.now() gives it; -Infinity if there was none.
export function lastInputTime() {
  return lastInputAt
}

// Return whether there was input within the last minute.
export function isAttended() {
  return performance.now() - lastInputAt < ATTENTION_MS
}

// Return the milliseconds since the last input; a very large number if there was none yet.
function idleMs() {
  return Math.min(performance.now() - lastInputAt, Number.MAX_SAFE_INTEGER)
}

// Answer the service worker, which asks before it suppresses a notification.
navigator.serviceWorker?.addEventListener("message", ({ data, ports }) => {
  if (data.ask === "attention") {
    ports[0].postMessage(!document.hidden && isAttended())
  }
})

exportToPython({ is_attended: isAttended, idle_ms: idleMs })
