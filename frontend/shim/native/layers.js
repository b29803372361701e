// The history of the browser: addresses, and what lies over a page.

// Links inside the app change the page without loading it.
function interceptLinks(callable) {
  const follow = handler(callable)
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href^='/']")
    if (link && !link.target && !link.hasAttribute("download") && !event.defaultPrevented && event.button === 0 &&
        !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      follow(link.getAttribute("href"))
    }
  })
  return _b_.None
}

// Where the page is: (path, query as a dict, hash).
function place() {
  const query = $B.empty_dict()
  for (const [name, value] of new URLSearchParams(location.search)) {
    $B.str_dict_set(query, name, value)
  }
  return $B.fast_tuple([location.pathname, query, location.hash])
}

// What lies over the page has an entry of its own in the history, so that "back" puts it away.
const layers = []
const over = [] // those that lie there now, the lowest first
let shown = location.href
let ours = false // the next step through the history is one of ours
let isReplaced = false // another page took the place of one whose entry lies below that of a layer

function pathOf(address) {
  return new URL(address, location.href).href.split(/[?#]/)[0]
}

function depth() {
  return (history.state && history.state.over) || 0
}

// Something lies over the page now; close() puts it away. Gives a number to lift it with.
function lay(close) {
  const layer = { close: handler(close) }
  over.push(layer)
  layers.push(layer)
  history.pushState({ over: over.length }, "")
  return layers.length - 1
}
// It was put away: its entry goes too, unless a page has taken its place by then.
function lift(number) {
  const at = over.indexOf(layers[number])
  if (at >= 0) {
    over.splice(at, 1)
    setTimeout(level)
  }
  return _b_.None
}

function level() {
  if (depth() > over.length && !ours) {
    ours = true
    history.go(over.length - depth())
  }
}

function go(address, replace) {
  if (replace === true) {
    isReplaced ||= (ours || depth() > 0) && pathOf(address) !== pathOf(shown)
    history.replaceState(history.state, "", address)
    shown = location.href
    return _b_.None
  }
  ours = isReplaced = false
  if (depth() > 0) {
    over.length = 0
    history.replaceState(null, "", address)
  } else {
    history.pushState(null, "", address)
  }
  shown = location.href
  return _b_.None
}

// Calls changed() when a step through the history leads to another page.
function followHistory(changed) {
  const follow = handler(changed)
  addEventListener("popstate", () => {
    const here = isReplaced || pathOf(location.href) === pathOf(shown)
    isReplaced &&= depth() > 0
    const { hash } = location
    const linked = hash !== "" && hash !== new URL(shown).hash // a link to something else
    const layered = !linked && (ours || over.length > 0 || depth() > 0)
    const asked = ours && here
    ours = false
    while (!asked && over.length > depth()) {
      over.pop().close()
    }
    if (layered && here) {
      history.replaceState(history.state, "", shown) // the moment looked at stays
      while (over.length > depth()) { // laid since the step was asked for
        history.pushState({ over: depth() + 1 }, "")
      }
      level()
      return
    }
    shown = location.href
    follow()
    level()
  })
  level()
  return _b_.None
}

Object.assign(native, { intercept_links: interceptLinks, place, go, lay, lift, follow_history: followHistory })
