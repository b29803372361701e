// The boot script of the app, in a separate file because the Content-Security-Policy forbids inline
// scripts. Use no syntax newer than 2018: old browsers must be able to parse it, so that it can
// show that they are not supported.
(function () {
  "use strict"
  const SLICE = 4 // milliseconds of work before yielding to the browser
  const FRESH = 12000 // milliseconds until an early request is aborted, or its response dropped
  const PAUSE = 500 // milliseconds between checks whether the page is complete
  const PATIENCE = 20 // maximum number of these checks
  let theme = null
  try {
    theme = localStorage.getItem("theme")
    if (localStorage.getItem("board-labels") === "on") {
      document.documentElement.dataset.labels = ""
    }
  } catch (_) { /* storage may be blocked */ }
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme
  }
  if (location.pathname.startsWith("/m/")) {
    document.documentElement.dataset.table.split(" ").forEach((href) => {
      const early = { rel: "preload", as: "script", href: href }
      document.head.append(Object.assign(document.createElement("link"), early))
    })
  }
  const sent = document.documentElement.lang
  // Whether a part of the app failed to load, which happens while a new version is being deployed.
  let lost = false
  const words = languages()
  // Request the match while the app is still loading. `early`: promises of responses by address,
  // which `request` in `shim/native/http.js` uses while they are fresh.
  const early = window.early = {}
  const [, section, id, rest] = location.pathname.split("/")
  if (section === "m" && id && !rest && !id.startsWith("phone-")) {
    const query = new URLSearchParams(location.search)
    const code = query.get("invite") || query.get("share")
    const path = "/api/matches/" + id
    window.expected = Promise.all([
      fetchEarly(path + (code ? "?invite=" + code : "")), fetchEarly("/api/games"),
    ]).then(([match, games]) => requestEvents(path, code, json(match), json(games)))
    window.expected.catch(function () {}) // the app repeats failed requests
  }

  // Request the events of a match, unless it has not begun, and return the match. The address must
  // be the one the app uses: with the user's seat if the game has secrets and they hold just one.
  function requestEvents(path, code, match, games) {
    if (match.status !== "open") {
      const game = games.find((each) => each.slug === match.game)
      const held = match.imported ? [] : match.seats.filter((each) => each.you)
      const one = game.traits.includes("secret") && held.length === 1
      fetchEarly(path + "/events?" + (one ? "seat=" + held[0].seat + "&" : "") + "after=0" +
        (code ? "&invite=" + code : ""))
    }
    return match
  }

  function json([status, text]) {
    if (status !== 200) {
      throw new Error(String(status))
    }
    return JSON.parse(text)
  }

  function fetchEarly(address) {
    const abort = new AbortController()
    const timer = setTimeout(() => { abort.abort(); delete early[address] }, FRESH)
    const headers = { Accept: "application/json", "Accept-Language": document.documentElement.lang }
    early[address] = fetch(address, {
      headers: headers, signal: abort.signal, cache: "no-store", credentials: "same-origin",
    }).then((answer) => answer.text().then((text) => {
      clearTimeout(timer)
      setTimeout(() => delete early[address], FRESH)
      return [answer.status, text, Date.parse(answer.headers.get("Date")) - Date.now()]
    }))
    early[address].catch(function () {}) // the app handles the error when it uses the response
    return early[address]
  }

  // Set the page's language, from the stored choice or the browser's languages, and load the
  // shell's message catalogue. Return a promise of { tag, on, rooms }: `on` has the content hash of
  // each catalogue, `rooms` the loaded catalogues. If loading fails, the page is in English.
  // data-words lists the languages with the hashes of their catalogues:
  // {"en": {"shell": "0123456789", ...}}.
  function languages() {
    setPageLanguage("en") // the service may have rendered the page in another language
    const offered = JSON.parse(document.documentElement.dataset.words)
    const preferred = [storedLanguage(), ...(navigator.languages || [])].filter(Boolean)
    for (const wanted of preferred) {
      const parts = wanted.split("-")
      for (let size = parts.length; size > 0; size -= 1) {
        const tag = parts.slice(0, size).join("-")
        if (offered[tag]) {
          return loadShell(tag, offered)
        }
      }
    }
    return loadShell("en", offered)
  }

  function loadShell(tag, offered) {
    setPageLanguage(tag)
    return fetch("/words/" + tag + "/shell." + offered[tag].shell + ".json")
      .then((answer) => answer.json())
      .then((shell) => {
        setPageLanguage(tag, shell.dir)
        return { tag: tag, on: offered[tag], rooms: { shell: shell } }
      })
      .catch(() => {
        lost = tag === "en"
        return lost ? null : loadShell("en", offered)
      })
  }

  // Set the language and text direction of the page.
  function setPageLanguage(tag, direction) {
    document.documentElement.lang = tag
    document.documentElement.dir = direction || "ltr"
  }

  function storedLanguage() {
    try {
      return localStorage.getItem("language")
    } catch (_) {
      return null
    }
  }

  // The scripts after this one push their work as functions into `slices`. These run in order, and
  // the browser can draw and handle input in between. `run()` resolves when none is left.
  const slices = window.slices = []
  let running = null
  slices.run = () => running || (slices.length === 0 ? Promise.resolve() : running = inTurn())

  async function inTurn() {
    while (slices.length > 0) {
      await turn()
      const until = performance.now() + SLICE
      while (slices.length > 0 && performance.now() < until) {
        try {
          slices.shift()()
        } catch (error) {
          console.error("start", error, error.stack)
        }
      }
    }
    running = null
  }

  // Use one channel for all turns: creating a channel takes longer than many slices.
  const channel = new MessageChannel()

  function turn() {
    return new Promise((done) => {
      channel.port1.onmessage = done
      channel.port2.postMessage(0)
    })
  }

  addEventListener("DOMContentLoaded", () => {
    if (!isSupported()) {
      showUnsupported()
    } else if (document.hidden) {
      start() // hidden pages get no animation frames
    } else {
      requestAnimationFrame(() => turn().then(start))
    }
  })

  // Return whether the browser supports what the app needs; all current ones do.
  function isSupported() {
    return "HTMLDialogElement" in window && CSS.supports("selector(:has(a))")
  }

  addEventListener("error", (event) => { lost = lost || event.target.tagName === "SCRIPT" }, true)

  // Show that the app cannot run, in the language in which the service rendered the page.
  function showUnsupported() {
    const sentence = document.getElementById(lost ? "lost" : "unable")
    sentence.lang = sent
    sentence.hidden = false
    document.querySelectorAll(".skeleton, .first-board, .first-dock").forEach((each) => each.remove())
    document.querySelectorAll(".waits").forEach((each) => each.classList.remove("waits"))
  }

  async function start() {
    const found = await words
    const began = performance.now()
    slices.unshift(() => { __BRYTHON__.catalogues = found })
    await slices.run()
    performance.measure("start", { start: began, end: performance.now() })
    document.documentElement.dataset.ready = "1"
    if (window.__BRYTHON__ && __BRYTHON__.imported && __BRYTHON__.imported["frontend.app.main"]) {
      document.querySelectorAll("#lost, #unable").forEach((each) => each.remove())
    } else {
      showUnsupported() // a script could not be loaded or parsed, or failed
    }
    if ("serviceWorker" in navigator) {
      setTimeout(register, PAUSE, 0)
    }
  }

  // Register the service worker once the page is complete, because its downloads would slow the
  // page down. After PATIENCE checks, register it anyway.
  function register(tried) {
    if (tried < PATIENCE && document.querySelector(".skeleton, .first-board, [data-rising]")) {
      setTimeout(register, PAUSE, tried + 1)
    } else {
      navigator.serviceWorker.register("/sw.js").catch(function () {})
    }
  }
})()
