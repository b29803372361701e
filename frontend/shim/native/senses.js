// What the device can do beyond its page: stay awake, sound, shake, wear a badge, be installed, and
// bring files that were given to the app. All of it is missing somewhere: then nothing happens.

// --- awake --------------------------------------------------------------------------------------

let lock = null // the promise of a lock, while one is wanted

// Keeps the screen on, or lets it rest again. A lock falls when the page goes out of sight.
function awake(wanted) {
  if (!navigator.wakeLock || wanted === (lock !== null)) {
    return _b_.None
  }
  if (wanted) {
    lock = asleepOrNot()
  } else {
    lock.then((held) => held && held.release())
    lock = null
  }
  return _b_.None
}

function asleepOrNot() {
  return navigator.wakeLock.request("screen").catch(() => null)
}

document.addEventListener("visibilitychange", () => {
  if (lock !== null && !document.hidden) {
    lock = asleepOrNot()
  }
})

// --- sound and shaking --------------------------------------------------------------------------

const SHAKES = { move: 12, turn: [40, 60, 40] }
const NOTES = { move: [[420, 0, .05]], turn: [[523.25, 0, .3], [783.99, .16, .45]] }
let speaker = null

// "move": a soft wooden click; "turn": two notes.
function sense(kind) {
  if (navigator.vibrate) {
    navigator.vibrate(SHAKES[kind])
  }
  speaker ||= window.AudioContext ? new AudioContext() : null
  if (speaker) {
    speaker.resume().then(() => NOTES[kind].forEach((note) => strike(kind, ...note)), () => {})
  }
  return _b_.None
}

function strike(kind, pitch, later, lasts) {
  const begins = speaker.currentTime + later
  const tone = new OscillatorNode(speaker, { type: kind === "move" ? "triangle" : "sine", frequency: pitch })
  const loud = new GainNode(speaker, { gain: 0 })
  loud.gain.setValueAtTime(0, begins)
  loud.gain.linearRampToValueAtTime(.18, begins + .006)
  loud.gain.exponentialRampToValueAtTime(.0001, begins + lasts)
  tone.connect(loud).connect(speaker.destination)
  tone.start(begins)
  tone.stop(begins + lasts)
}

// --- the badge ----------------------------------------------------------------------------------

const appName = document.title
let titled = appName
let tablesWaiting = 0

// On the icon of the app, and before the title: a page in a tab has no icon that could wear it, and
// Firefox has no badges at all.
function badge(count) {
  if (navigator.setAppBadge) {
    (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {})
  }
  tablesWaiting = count
  entitle()
  return _b_.None
}

// The title of the page, the app's name without one.
function title(text) {
  titled = text || appName
  entitle()
  return _b_.None
}

function entitle() {
  const worn = navigator.setAppBadge && matchMedia("(display-mode: standalone)").matches
  document.title = tablesWaiting && !worn ? `(${tablesWaiting}) ${titled}` : titled
}

// --- installing ---------------------------------------------------------------------------------

let offered = null
let awaited = null
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault()
  offered = event
  if (awaited) {
    awaited("offered")
  }
})

// Calls told(way) when the app can be installed: "offered" by the browser, whenever it does so, or by
// "hand" on an iPhone.
function installable(told) {
  awaited = handler(told)
  if (matchMedia("(display-mode: standalone)").matches || navigator.standalone) {
    return _b_.None
  }
  if (offered || navigator.standalone === false) {
    awaited(offered ? "offered" : "hand")
  }
  return _b_.None
}

// Asks the browser to install the app; told(whether it does).
function installApp(told) {
  const asked = offered
  offered = null
  asked.prompt()
  asked.userChoice.then((choice) => handler(told)(choice.outcome === "accepted"))
  return _b_.None
}

// --- files that were given to the app -----------------------------------------------------------

// Calls read(text) with a file that another app has shared, or that was opened with this one.
function incoming(read) {
  const tell = handler(read)
  if (new URLSearchParams(location.search).has("shared") && "caches" in window) {
    history.replaceState(history.state, "", "/")
    caches.open("shared").then(async (cache) => {
      const found = await cache.match("/shared-file")
      await cache.delete("/shared-file")
      if (found) {
        tell(await found.text())
      }
    })
  }
  if (window.launchQueue) {
    launchQueue.setConsumer(async ({ files }) => {
      if (files && files.length) {
        tell(await (await files[0].getFile()).text())
      }
    })
  }
  return _b_.None
}

Object.assign(native, { awake, sense, badge, title, installable, ask_to_install: installApp, incoming })
