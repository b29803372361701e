// The page and its window: visibility, theme, scrolling, sizes, sharing.

function isPageHidden() {
  return document.visibilityState === "hidden"
}

function mediaMatches(query) {
  return matchMedia(query).matches
}

// Calls back when the device keeps another version of the app than this page is of. It looks for one
// whenever the page comes into sight.
function onUpdate(callable) {
  const told = handler(callable)
  const workers = navigator.serviceWorker
  if (workers) {
    workers.addEventListener("message", ({ data }) => {
      if (data.version && data.version !== document.documentElement.dataset.version) {
        told()
      }
    })
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) {
        workers.getRegistration().then((known) => known && known.update()).catch(() => {})
      }
    })
  }
  return _b_.None
}

function reload() {
  location.reload()
  return _b_.None
}

function theme(value) {
  if (value === undefined) {
    return document.documentElement.dataset.theme || ""
  }
  if (value) {
    document.documentElement.dataset.theme = value
  } else {
    delete document.documentElement.dataset.theme
  }
  return _b_.None
}

function byId(id) {
  return document.getElementById(id)
}

function cloneTemplate(id) {
  return document.getElementById(id).content.cloneNode(true)
}

// Scrolls a node into sight inside whatever scrolls it; not when it is not to be seen.
function scrollIntoView(node) {
  if (node.offsetParent !== null) {
    node.scrollIntoView({ block: "nearest" })
  }
  return _b_.None
}

function scrollToTop() {
  scrollTo(0, 0)
  return _b_.None
}

// Calls back when a node changes its size.
function observeSize(node, callable) {
  new ResizeObserver(handler(callable)).observe(node)
  return _b_.None
}

// Where a pointer is in an svg's own units: (x, y), rounded.
function unitsAt(node, x, y) {
  const point = new DOMPoint(plain(x), plain(y)).matrixTransform(node.getScreenCTM().inverse())
  return $B.fast_tuple([Math.round(point.x), Math.round(point.y)])
}

// Width and height of a node in whole pixels.
function sizeOf(node) {
  const box = node.getBoundingClientRect()
  return $B.fast_tuple([Math.round(box.width), Math.round(box.height)])
}

// What came of the share sheet: "shared", or "" when it was put away or is already open; then
// nothing is shared and nothing else is to happen. Throws when the browser does not allow it.
async function shareSheet(data) {
  try {
    await navigator.share(data)
    return "shared"
  } catch (error) {
    if (error.name === "AbortError" || error.name === "InvalidStateError") {
      return ""
    }
    throw error
  }
}

// "shared", "copied", or "" when somebody thought better of it; throws when nothing was possible.
async function share(url, title) {
  if (navigator.share) {
    try {
      return await shareSheet({ url, title })
    } catch (_) { /* not allowed: copy instead */ }
  }
  return copy(url)
}

// The clipboard exists on https only; selecting text works everywhere, under an open sheet nowhere.
async function copy(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text)
    return "copied"
  }
  const field = document.createElement("textarea")
  field.value = text
  const sheet = Array.from(document.querySelectorAll("dialog[open]")).pop()
  ;(sheet || document.body).append(field)
  field.select()
  const done = document.execCommand("copy")
  field.remove()
  if (!done) {
    throw new Error("not copied")
  }
  return "copied"
}

// Tells "shared", "copied", "" when a share sheet was put away, or "failed".
function shareOrCopy(action, text, title, done) {
  const told = handler(done)
  ;(action === "share" ? share(text, title) : copy(text))
    .then(told, () => told("failed"))
  return _b_.None
}

Object.assign(native, {
  is_secure_context: () => window.isSecureContext, origin: () => location.origin,
  is_page_hidden: isPageHidden, media_matches: mediaMatches, on_update: onUpdate, reload, theme,
  by_id: byId, clone_template: cloneTemplate, scroll_into_view: scrollIntoView,
  scroll_to_top: scrollToTop, observe_size: observeSize, units_at: unitsAt, size_of: sizeOf,
  share_or_copy: shareOrCopy,
})
