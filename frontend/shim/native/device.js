// The device round the page: its clock, storage, screen, clipboard.

// A random key; crypto.randomUUID is missing on plain http.
function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

// Milliseconds since 1970.
function instant() {
  return Date.now()
}

// The language of the page as people here write it: "en-GB" where the browser says so. What it says
// need not be a language that dates can be written in: "en-US@posix".
function locale() {
  const tag = document.documentElement.lang
  const here = navigator.languages.filter((each) => (each + "-").startsWith(tag + "-"))
  return [...here, tag].find(canWrite) || "en"
}

function canWrite(tag) {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch (_) {
    return false
  }
}

// The hour and minute here, so many minutes after a moment in ISO 8601.
function hourAfter(moment, minutes) {
  const time = new Date(Date.parse(moment) + 60000 * minutes)
  return time.toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" })
}

// A moment in ISO 8601 as people here say it: the time, and the day unless it is today.
function momentInWords(moment) {
  const time = new Date(moment)
  const day = { day: "numeric", month: "short" }
  const clock = { hour: "2-digit", minute: "2-digit" }
  const today = time.toDateString() === new Date().toDateString()
  return time.toLocaleString(locale(), today ? clock : { ...day, ...clock })
}

const nowInWords = () => momentInWords(Date.now())

// A day such as 2026-11-21 as people here say it; what follows the day is left out.
function dayInWords(date) {
  const parts = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }
  return new Date(date.slice(0, 10)).toLocaleDateString(locale(), parts)
}

// A device's own clock may be wrong: what is left of a turn is told by the service's, which each
// answer says to the second. Less than that and the way here is no difference.
const SAME = 3000
let ahead = 0

function hearTime(milliseconds) {
  if (Number.isFinite(milliseconds)) {
    ahead = Math.abs(milliseconds) < SAME ? 0 : milliseconds
  }
}

// Whole minutes from now to a moment in ISO 8601, begun ones count; 0 when it is over.
function minutesUntil(moment) {
  return Math.max(0, Math.ceil((Date.parse(moment) - Date.now() - ahead) / 60000))
}

// Whole seconds from now to a moment in ISO 8601; 0 when it is over.
function secondsUntil(moment) {
  return Math.max(0, Math.ceil((Date.parse(moment) - Date.now() - ahead) / 1000))
}

// Minutes by which the clocks here are ahead of UTC now.
function zone() {
  return -new Date().getTimezoneOffset()
}

function stored(name, value) {
  try {
    if (value === undefined) {
      const found = localStorage.getItem(name)
      return found === null ? _b_.None : found
    }
    if (value === _b_.None || value === null) {
      localStorage.removeItem(name)
    } else {
      localStorage.setItem(name, value)
    }
  } catch (_) { /* storage may be closed to us */ }
  return _b_.None
}

// Whether the service had the cookie of a player when it sent this page. Scripts cannot see it.
function hadCookie() {
  return "cookie" in document.documentElement.dataset
}

// Whether the browser lets this page keep cookies at all.
function cookiesWork() {
  return navigator.cookieEnabled
}

function hidden() {
  return document.visibilityState === "hidden"
}

function matches(query) {
  return matchMedia(query).matches
}

// Calls back when the device keeps another version of the app than this page is of. It looks for one
// whenever the page comes into sight.
function newer(callable) {
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

function cloned(id) {
  return document.getElementById(id).content.cloneNode(true)
}

// Scrolls a node into sight inside whatever scrolls it; not when it is not to be seen.
function reveal(node) {
  if (node.offsetParent !== null) {
    node.scrollIntoView({ block: "nearest" })
  }
  return _b_.None
}

// Puts a text among the downloads.
function saveFile(name, text) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60000)
  return _b_.None
}

function scrollUp() {
  scrollTo(0, 0)
  return _b_.None
}

// Calls read(text) with the file that was chosen, failed() when it cannot be read.
function readFile(input, read, failed) {
  const done = handler(read)
  const lost = handler(failed)
  const file = input.files[0]
  if (file) {
    file.text().then((text) => done(text), () => lost())
    input.value = ""
  }
  return _b_.None
}

// Calls back when a node changes its size.
function observe(node, callable) {
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
function offer(action, text, title, done) {
  const told = handler(done)
  ;(action === "share" ? share(text, title) : copy(text))
    .then(told, () => told("failed"))
  return _b_.None
}

Object.assign(native, {
  random_key: randomKey, instant, hour_after: hourAfter, moment_in_words: momentInWords, now_in_words: nowInWords, day_in_words: dayInWords, minutes_until: minutesUntil, seconds_until: secondsUntil, zone, stored,
  had_cookie: hadCookie, cookies_work: cookiesWork,
  secure: () => window.isSecureContext, origin: () => location.origin,
  hidden, matches, newer, reload, theme, by_id: byId, cloned, reveal, scroll_up: scrollUp,
  read_file: readFile, save_file: saveFile, observe, units_at: unitsAt, size_of: sizeOf, offer,
})
