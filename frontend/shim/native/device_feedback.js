// What the device can do beyond its page: stay awake, sound, shake, wear a badge, be installed, and
// bring files that were given to the app. All of it is missing somewhere: then nothing happens.

// --- awake --------------------------------------------------------------------------------------

let wakeLock = null // the promise of a lock, while one is wanted

// Keeps the screen on, or lets it rest again. A lock falls when the page goes out of sight.
function keepScreenOn(wanted) {
  if (!navigator.wakeLock || wanted === (wakeLock !== null)) {
    return _b_.None
  }
  if (wanted) {
    wakeLock = requestWakeLock()
  } else {
    wakeLock.then((held) => held && held.release())
    wakeLock = null
  }
  return _b_.None
}

function requestWakeLock() {
  return navigator.wakeLock.request("screen").catch(() => null)
}

document.addEventListener("visibilitychange", () => {
  if (wakeLock !== null && !document.hidden) {
    wakeLock = requestWakeLock()
  }
})

// --- sound and shaking --------------------------------------------------------------------------

const VIBRATIONS_MS = { move: 12, turn: [40, 60, 40] }
const NOTES = { move: [[420, 0, .05]], turn: [[523.25, 0, .3], [783.99, .16, .45]] }
let audioContext = null

// "move": a soft wooden click; "turn": two notes.
function playFeedback(kind) {
  if (navigator.vibrate) {
    navigator.vibrate(VIBRATIONS_MS[kind])
  }
  audioContext ||= window.AudioContext ? new AudioContext() : null
  if (audioContext) {
    audioContext.resume().then(() => NOTES[kind].forEach((note) => beep(kind, ...note)), () => {})
  }
  return _b_.None
}

function beep(kind, pitch, later, lasts) {
  const begins = audioContext.currentTime + later
  const tone = new OscillatorNode(audioContext, { type: kind === "move" ? "triangle" : "sine", frequency: pitch })
  const loud = new GainNode(audioContext, { gain: 0 })
  loud.gain.setValueAtTime(0, begins)
  loud.gain.linearRampToValueAtTime(.18, begins + .006)
  loud.gain.exponentialRampToValueAtTime(.0001, begins + lasts)
  tone.connect(loud).connect(audioContext.destination)
  tone.start(begins)
  tone.stop(begins + lasts)
}

// --- the badge ----------------------------------------------------------------------------------

const appName = document.title
let pageTitle = appName
let waitingCount = 0

// On the icon of the app, and before the title: a page in a tab has no icon that could wear it, and
// Firefox has no badges at all.
function setBadge(count) {
  if (navigator.setAppBadge) {
    (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {})
  }
  waitingCount = count
  updateTitle()
  return _b_.None
}

// The title of the page, the app's name without one.
function setTitle(text) {
  pageTitle = text || appName
  updateTitle()
  return _b_.None
}

function updateTitle() {
  const worn = navigator.setAppBadge && matchMedia("(display-mode: standalone)").matches
  document.title = waitingCount && !worn ? `(${waitingCount}) ${pageTitle}` : pageTitle
}

// --- installing ---------------------------------------------------------------------------------

let installPrompt = null
let installableCallback = null
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault()
  installPrompt = event
  if (installableCallback) {
    installableCallback("offered")
  }
})

// Calls told(way) when the app can be installed: "offered" by the browser, whenever it does so, or by
// "hand" on an iPhone.
function onInstallable(told) {
  installableCallback = handler(told)
  if (matchMedia("(display-mode: standalone)").matches || navigator.standalone) {
    return _b_.None
  }
  if (installPrompt || navigator.standalone === false) {
    installableCallback(installPrompt ? "offered" : "hand")
  }
  return _b_.None
}

// Asks the browser to install the app; told(whether it does).
function promptInstall(told) {
  const asked = installPrompt
  installPrompt = null
  asked.prompt()
  asked.userChoice.then((choice) => handler(told)(choice.outcome === "accepted"))
  return _b_.None
}

// --- files that were given to the app -----------------------------------------------------------

// Calls read(text) with a file that another app has shared, or that was opened with this one.
function onFileOpened(read) {
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

Object.assign(native, {
  keep_screen_on: keepScreenOn, play_feedback: playFeedback, set_badge: setBadge,
  set_title: setTitle, on_installable: onInstallable, prompt_install: promptInstall,
  on_file_opened: onFileOpened,
})
