// Device features: wake lock, sound, vibration, app badge, installation and opened files. A feature
// that the browser does not support is silently skipped.

import { handler } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"

// --- wake lock ----------------------------------------------------------------------------------

let wakeLock = null // promise of the lock (null if refused) while the screen is to stay on

// Acquire or release the screen wake lock. The browser releases it when the page is hidden, so it
// is acquired again when the page becomes visible.
function keepScreenOn(wanted) {
  if (!navigator.wakeLock || wanted === (wakeLock !== null)) {
    return
  }
  if (wanted) {
    wakeLock = requestWakeLock()
  } else {
    wakeLock.then((held) => held && held.release())
    wakeLock = null
  }
}

function requestWakeLock() {
  return navigator.wakeLock.request("screen").catch(() => null)
}

document.addEventListener("visibilitychange", () => {
  if (wakeLock !== null && !document.hidden) {
    wakeLock = requestWakeLock()
  }
})

// --- sound and vibration ------------------------------------------------------------------------

const VIBRATIONS_MS = { move: 12, turn: [40, 60, 40] }
const NOTES = { move: [[420, 0, .05]], turn: [[523.25, 0, .3], [783.99, .16, .45]] }
let audioContext = null

// Play a sound and vibrate, each if wanted: "move", a soft wooden click; "turn", two notes.
function playFeedback(kind, sound, vibration) {
  if (vibration && navigator.vibrate) {
    navigator.vibrate(VIBRATIONS_MS[kind])
  }
  if (!sound) {
    return
  }
  audioContext ||= window.AudioContext ? new AudioContext() : null
  if (audioContext) {
    audioContext.resume().then(() => NOTES[kind].forEach((note) => beep(kind, ...note)), () => {})
  }
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

// Show a count as the app's badge, and in the title unless the app is installed and has a badge.
function setBadge(count) {
  if (navigator.setAppBadge) {
    (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {})
  }
  waitingCount = count
  updateTitle()
}

// Set the page title; an empty one means the app's name.
function setTitle(text) {
  pageTitle = text || appName
  updateTitle()
}

function updateTitle() {
  // A replay calls this at each jump, and matchMedia makes the browser compute styles.
  const hasCount = waitingCount
    && !(navigator.setAppBadge && matchMedia("(display-mode: standalone)").matches)
  const title = hasCount ? `(${waitingCount}) ${pageTitle}` : pageTitle
  if (document.title !== title) {
    document.title = title
  }
}

// --- installing ---------------------------------------------------------------------------------

let installPrompt = null
let installableCallback = () => {}
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault()
  installPrompt = event
  installableCallback("offered")
})

// Call callback("offered") whenever the browser offers to install the app, or callback("hand") on
// an iPhone or iPad, where the user has to install it manually.
function onInstallable(callback) {
  installableCallback = handler(callback)
  if (matchMedia("(display-mode: standalone)").matches || navigator.standalone) {
    return
  }
  if (installPrompt || navigator.standalone === false) {
    installableCallback(installPrompt ? "offered" : "hand")
  }
}

// Show the browser's installation prompt, then call callback(accepted). Call it at most once for
// each "offered".
function promptInstall(callback) {
  const asked = installPrompt
  installPrompt = null
  asked.prompt()
  asked.userChoice.then((choice) => handler(callback)(choice.outcome === "accepted"))
}

// --- opened and shared files --------------------------------------------------------------------

// Call read(text) with the content of each file that was shared to the app or opened with it.
function onFileOpened(read) {
  const call = handler(read)
  if (new URLSearchParams(location.search).has("shared") && "caches" in window) {
    history.replaceState(history.state, "", "/")
    caches.open("shared").then(async (cache) => {
      const found = await cache.match("/shared-file")
      await cache.delete("/shared-file")
      if (found) {
        call(await found.text())
      }
    })
  }
  if (window.launchQueue) {
    launchQueue.setConsumer(async ({ files }) => {
      if (files && files.length) {
        call(await (await files[0].getFile()).text())
      }
    })
  }
}

exportToPython({
  keep_screen_on: keepScreenOn, play_feedback: playFeedback, set_badge: setBadge,
  set_title: setTitle, on_installable: onInstallable, prompt_install: promptInstall,
  on_file_opened: onFileOpened,
})
