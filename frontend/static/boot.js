// Starts the app. The page's rules allow no script inside the page itself. Older browsers have to
// read this file too, to say that they cannot run the others: nothing in it is newer than 2018.
(function () {
  "use strict"
  const SLICE = 4 // milliseconds after which the browser has its turn
  const FRESH = 12000 // milliseconds after which an answer that nobody has taken is none
  const PAUSE = 500 // milliseconds after which the page is looked at again
  const PATIENCE = 20 // looks
  let theme = null
  try {
    theme = localStorage.getItem("theme")
  } catch (_) { /* storage may be closed to us */ }
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
  const words = languages()
  // A match is asked for while the app is still coming: answers by address, for `request` in
  // `shim/native/http.js`, and only as long as they are fresh.
  const early = window.early = {}
  const [, room, id, rest] = location.pathname.split("/")
  if (room === "m" && id && !rest && !id.startsWith("phone-")) {
    const query = new URLSearchParams(location.search)
    const code = query.get("invite") || query.get("share")
    const path = "/api/matches/" + id
    window.expected = Promise.all([
      ask(path + (code ? "?invite=" + code : "")), ask("/api/games"),
    ]).then(([match, games]) => opened(path, code, json(match), json(games)))
    window.expected.catch(function () {}) // the app asks again
  }

  // What has happened in a match is asked for as the app will, seen from the one seat that is held
  // in a game with secrets; done with the match.
  function opened(path, code, match, games) {
    if (match.status !== "open") {
      const game = games.find((each) => each.slug === match.game)
      const held = match.imported ? [] : match.seats.filter((each) => each.you)
      const one = game.traits.includes("secret") && held.length === 1
      ask(path + "/events?" + (one ? "seat=" + held[0].seat + "&" : "") + "after=0" +
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

  function ask(address) {
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
    early[address].catch(function () {}) // who waits for it is told
    return early[address]
  }

  // The catalogue of the page's language, as { tag, on, rooms }; English needs none. The page
  // names those on offer with the rooms of each, by the hash that is in the address: {"fr": {"shell":
  // "0123456789", ...}}.
  function languages() {
    speak("en") // the service may have sent the page in another
    const offered = JSON.parse(document.documentElement.dataset.words || "{}")
    const wishes = [chosen(), ...(navigator.languages || [])].filter(Boolean)
    for (const wish of wishes) {
      const parts = wish.split("-")
      for (let size = parts.length; size > 0; size -= 1) {
        const tag = parts.slice(0, size).join("-")
        if (tag === "en") {
          return null
        }
        if (offered[tag]) {
          speak(tag)
          return fetch("/words/" + tag + "/shell." + offered[tag].shell + ".json")
            .then((answer) => answer.json())
            .then((shell) => {
              speak(tag, shell.dir)
              return { tag: tag, on: offered[tag], rooms: { shell: shell } }
            })
            .catch(function () { speak("en") })
        }
      }
    }
    return null
  }

  // Says which language the page is in, and on which side its lines begin.
  function speak(tag, direction) {
    document.documentElement.lang = tag
    document.documentElement.dir = direction || "ltr"
  }

  function chosen() {
    try {
      return localStorage.getItem("language")
    } catch (_) {
      return null
    }
  }

  // The scripts that follow put what they do into slices, which run in turn and let the browser draw
  // and answer in between. `run()` is done when there is none left.
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

  // One channel for all turns: to make one takes longer than many a slice.
  const channel = new MessageChannel()

  function turn() {
    return new Promise((done) => {
      channel.port1.onmessage = done
      channel.port2.postMessage(0)
    })
  }

  addEventListener("DOMContentLoaded", () => {
    if (!able()) {
      regret()
    } else if (document.hidden) {
      start() // nothing is painted
    } else {
      requestAnimationFrame(() => turn().then(start))
    }
  })

  // Whether the browser has what the app's screens are made of; all of today's have.
  function able() {
    return "HTMLDialogElement" in window && CSS.supports("selector(:has(a))")
  }

  // A script that did not come, which happens while another version takes the place of this one.
  let lost = false
  addEventListener("error", (event) => { lost = lost || event.target.tagName === "SCRIPT" }, true)

  // Says so where the app cannot run, in the language in which the page was sent.
  function regret() {
    const sentence = document.getElementById(lost ? "lost" : "unable")
    sentence.lang = sent
    sentence.hidden = false
    document.querySelectorAll(".skeleton, .first-board").forEach((each) => each.remove())
    document.querySelectorAll(".waits").forEach((each) => each.classList.remove("waits"))
  }

  async function start() {
    const found = await words
    const began = performance.now()
    slices.unshift(() => { __BRYTHON__.words = found })
    await slices.run()
    performance.measure("start", { start: began, end: performance.now() })
    document.documentElement.dataset.ready = "1"
    if (window.__BRYTHON__ && __BRYTHON__.imported && __BRYTHON__.imported["frontend.app.main"]) {
      document.querySelectorAll("#lost, #unable").forEach((each) => each.remove())
    } else {
      regret() // a script that the browser could not read, or that failed
    }
    if ("serviceWorker" in navigator) {
      setTimeout(register, PAUSE, 0)
    }
  }

  // The service worker fetches everything that works without network: not before the page stands,
  // which it would slow down, unless that never comes.
  function register(tried) {
    if (tried < PATIENCE && document.querySelector(".skeleton, .first-board, [data-rising]")) {
      setTimeout(register, PAUSE, tried + 1)
    } else {
      navigator.serviceWorker.register("/sw.js").catch(function () {})
    }
  }
})()
