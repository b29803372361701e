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
}

// Download a blob as a file.
export function download(name, blob) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60000)
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
}

exportToPython({
  local_storage: accessLocalStorage, read_file: readFile,
  had_cookie: () => "cookie" in document.documentElement.dataset, // scripts cannot read it
  cookies_work: () => navigator.cookieEnabled,
  save_file: (name, text) => download(name, new Blob([text], { type: "application/json" })),
})
