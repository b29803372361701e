// Starts the app. The page's rules allow no script inside the page itself.
(function () {
  "use strict"
  document.body.onload = function () {} // else Brython starts itself a second time
  let theme = null
  try {
    theme = localStorage.getItem("theme")
  } catch (_) { /* storage may be closed to us */ }
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme
  }
  if (location.pathname.startsWith("/m/")) {
    const early = { rel: "preload", as: "script", href: document.documentElement.dataset.table }
    document.head.append(Object.assign(document.createElement("link"), early))
  }
  const words = languages()

  // The catalogue of the page's language, as { tag, on, rooms }; English needs none. The page
  // names those on offer with the rooms of each: {"fr": ["shell", "game", ...]}.
  function languages() {
    const root = document.documentElement
    root.lang = "en" // the service may have sent the page in another
    const offered = JSON.parse(root.dataset.words || "{}")
    const wishes = [chosen(), ...navigator.languages].filter(Boolean)
    for (const wish of wishes) {
      const parts = wish.split("-")
      for (let size = parts.length; size > 0; size -= 1) {
        const tag = parts.slice(0, size).join("-")
        if (tag === "en") {
          return null
        }
        if (offered[tag]) {
          root.lang = tag
          return fetch("/words/" + tag + "/shell.json").then((answer) => answer.json())
            .then((shell) => ({ tag: tag, on: offered[tag], rooms: { shell: shell } }))
            .catch(function () { root.lang = "en" })
        }
      }
    }
    return null
  }

  function chosen() {
    try {
      return localStorage.getItem("language")
    } catch (_) {
      return null
    }
  }

  addEventListener("DOMContentLoaded", function () {
    if (words === null) {
      start(null)
    } else {
      words.then(start)
    }
  })

  function start(found) {
    const began = performance.now()
    __BRYTHON__.words = found
    const $B = __BRYTHON__
    brython({ debug: 0, indexedDB: false })
    const names = $B.empty_dict()
    const frame = ["__main__", names, "__main__", names]
    names.__name__ = "__main__"
    $B.enter_frame(frame, "__main__", 1)
    try {
      $B.import("frontend.app.main", [], {}, names, 0)
    } catch (error) {
      console.error("start", error.ob_type ? error.ob_type.tp_name : "", String(error.args || ""), error.stack)
    }
    $B.leave_frame()
    performance.measure("start", { start: began, end: performance.now() })
    document.documentElement.dataset.ready = "1"
    if ("serviceWorker" in navigator) {
      navigator.serviceWorker.register("/sw.js").catch(function () {})
    }
  }
})()
