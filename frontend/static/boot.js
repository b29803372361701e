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
  addEventListener("DOMContentLoaded", function () {
    const began = performance.now()
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
  })
})()
