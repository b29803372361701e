// The page and its window: visibility, theme, scrolling, sizes, sharing.

import { handler, plain } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { $B } from "../brython/runtime.js"

// Call a function when the service worker announces another version of the app than this page's.
// Check for an update whenever the page becomes visible.
function onUpdate(callable) {
  const notify = handler(callable)
  const workers = navigator.serviceWorker
  if (workers) {
    workers.addEventListener("message", ({ data }) => {
      if (data.version && data.version !== document.documentElement.dataset.version) {
        notify()
      }
    })
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) {
        workers.getRegistration().then((known) => known && known.update()).catch(() => {})
      }
    })
  }
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
}

// Scroll a node into view within its scroll containers; do nothing if it is not displayed.
function scrollIntoView(node) {
  if (node.offsetParent !== null) {
    node.scrollIntoView({ block: "nearest" })
  }
}

// Convert client coordinates to the user units of an SVG node; return (x, y), rounded.
function unitsAt(node, x, y) {
  const point = new DOMPoint(plain(x), plain(y)).matrixTransform(node.getScreenCTM().inverse())
  return $B.fast_tuple([Math.round(point.x), Math.round(point.y)])
}

// Return the width and height of a node in whole pixels.
function sizeOf(node) {
  const box = node.getBoundingClientRect()
  return $B.fast_tuple([Math.round(box.width), Math.round(box.height)])
}

// Open the share sheet. Resolves to "shared", or to "" if the user dismissed it or one is already
// open, in which case callers must not fall back to copying. Rejects if sharing is not allowed.
export async function shareSheet(data) {
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

// Share a link, or copy it if sharing is not possible. Resolves to "shared", "copied", or "" if the
// share sheet was dismissed. Rejects if neither works.
async function share(url, title) {
  if (navigator.share) {
    try {
      return await shareSheet({ url, title })
    } catch (_) { /* not allowed: copy instead */ }
  }
  return copy(url)
}

// Copy text to the clipboard. Resolves to "copied", or rejects. The Clipboard API needs https; on
// plain http, select the text in a field and copy it. If a dialog is open, the field must be inside
// it, because nodes under a modal dialog cannot be selected.
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

// Share a link (action "share") or copy it, then call done("shared"), done("copied"), done("") if
// the share sheet was dismissed, or done("failed").
function shareOrCopy(action, text, title, done) {
  const report = handler(done)
  ;(action === "share" ? share(text, title) : copy(text))
    .then(report, () => report("failed"))
}

exportToPython({
  is_secure_context: () => window.isSecureContext, origin: () => location.origin,
  is_page_hidden: () => document.visibilityState === "hidden",
  media_matches: (query) => matchMedia(query).matches, on_update: onUpdate,
  reload: () => location.reload(), theme, by_id: (id) => document.getElementById(id),
  clone_template: (id) => document.getElementById(id).content.cloneNode(true),
  scroll_into_view: scrollIntoView, scroll_to_top: () => scrollTo(0, 0), units_at: unitsAt,
  // Call a function when the size of a node is first observed and whenever it changes.
  observe_size: (node, callable) => new ResizeObserver(handler(callable)).observe(node),
  size_of: sizeOf, share_or_copy: shareOrCopy,
})
