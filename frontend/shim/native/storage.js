// Local storage, cookies, and reading and saving of files.

import { handler } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { _b_ } from "../brython/runtime.js"

export function accessLocalStorage(name, value) {
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
  } catch (_) { /* storage may be blocked */ }
  return _b_.None
}

// Return whether the request for this page had a player's cookie, which scripts cannot read.
function hadCookie() {
  return "cookie" in document.documentElement.dataset
}

// Return whether the browser accepts cookies.
function cookiesWork() {
  return navigator.cookieEnabled
}

// Download JSON text as a file.
function saveFile(name, text) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60000)
  return _b_.None
}

// Call read(text) with the content of the file chosen in an input, or failed() if it cannot be
// read. Do nothing if no file is chosen; reset the input otherwise.
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

exportToPython({
  local_storage: accessLocalStorage, had_cookie: hadCookie, cookies_work: cookiesWork,
  read_file: readFile, save_file: saveFile,
})
