// Server-sent events over fetch.

import { handler, loads } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { $B } from "../brython/runtime.js"
import { inputListeners, isAttended, lastInputTime } from "./attention.js"

const REPORT_PAUSE_MS = 60_000

// Follow a match's event stream, reconnecting until it is stopped; return a tuple of functions:
// stop() ends it, again() reconnects immediately. It uses fetch instead of EventSource to detect
// dead connections, which a phone may hold after sleeping: the service sends a comment every 15
// seconds, and after 40 seconds of silence the stream reconnects.
//
// Callbacks: heard(version) for new events up to a version; changed(connected) for the connection
// state; looking(data) for the watchers of the match ("looking" events); closed(data) when the
// service has ended the stream for good, with the reason.
//
// A page hidden for 5 seconds reconnects with `hidden=1`, so that it does not count as watching.
// While the page is visible, input is reported to the service, which sends no notifications to an
// active user: by `used=1` when the stream opens, later by PUT .../presence at most once a minute.
function openStream(path, version, heard, changed, looking, closed) {
  const [call, state, see, end] = [heard, changed, looking, closed].map((each) => handler(each))
  let last = version
  let stopped = false
  let abort = null
  let pause = 500
  let wake = null
  let unseen = false
  let hiding = null
  let isOpen = false
  let reportedAt = -Infinity
  function reportInput() {
    if (isOpen && lastInputTime() > reportedAt && isAttended() && performance.now() - reportedAt > REPORT_PAUSE_MS) {
      reportedAt = performance.now()
      fetch(path.replace("/live", "/presence"), { method: "PUT" }).catch(() => {})
    }
  }
  inputListeners.add(reportInput)
  function turned() {
    clearTimeout(hiding)
    if (document.hidden) {
      hiding = setTimeout(again, 5000)
    } else if (unseen) {
      again()
    }
  }
  function again() {
    pause = 500
    abort.abort()
    wake?.()
  }
  document.addEventListener("visibilitychange", turned)
  async function once() {
    abort = new AbortController()
    const current = abort
    let watchdog = setTimeout(() => current.abort(), 15000)
    try {
      const headers = { Accept: "text/event-stream" }
      if (last > 0) {
        headers["Last-Event-ID"] = String(last)
      }
      unseen = document.hidden
      const used = !unseen && isAttended()
      const query = unseen ? "hidden=1" : used ? "used=1" : ""
      const address = query ? `${path}${path.includes("?") ? "&" : "?"}${query}` : path
      const response = await fetch(address, { headers, signal: current.signal, cache: "no-store" })
      if (!response.ok) {
        return
      }
      state(true)
      isOpen = !unseen
      if (used) {
        reportedAt = performance.now() // reported by `used=1`
      }
      reportInput()
      pause = 500
      const reader = response.body.getReader()
      const decoder = new TextDecoder()
      let rest = ""
      let kind = ""
      while (true) {
        const { done, value } = await reader.read()
        if (done) {
          return
        }
        clearTimeout(watchdog)
        watchdog = setTimeout(() => current.abort(), 40000)
        rest += decoder.decode(value, { stream: true })
        const lines = rest.split("\n")
        rest = lines.pop()
        for (const line of lines) {
          if (line.startsWith("id:")) {
            last = Number(line.slice(3))
            call(last)
          } else if (line.startsWith("event:")) {
            kind = line.slice(6).trim()
          } else if (line.startsWith("data:") && kind === "looking") {
            see(loads(line.slice(5)))
          } else if (line.startsWith("data:") && kind === "closed") {
            leave()
            end(loads(line.slice(5)))
          } else if (line.trim() === "") {
            kind = ""
          }
        }
      }
    } catch (_) {
      // connection lost: loop() reconnects
    } finally {
      isOpen = false
      clearTimeout(watchdog)
    }
  }
  async function loop() {
    while (!stopped) {
      await once()
      if (stopped) {
        return
      }
      state(false)
      await new Promise((resolve) => {
        wake = resolve
        setTimeout(resolve, pause)
      })
      pause = Math.min(pause * 2, 8000)
    }
  }
  function leave() {
    stopped = true
    clearTimeout(hiding)
    document.removeEventListener("visibilitychange", turned)
    inputListeners.delete(reportInput)
  }
  function stop() {
    leave()
    abort.abort()
  }
  loop()
  return $B.fast_tuple([stop, again])
}

exportToPython({ open_stream: openStream })
