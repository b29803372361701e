// Local storage, cookies and files of the device.

function accessLocalStorage(name, value) {
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

// Puts a text among the downloads.
function saveFile(name, text) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60000)
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

Object.assign(native, {
  local_storage: accessLocalStorage, had_cookie: hadCookie, cookies_work: cookiesWork,
  read_file: readFile, save_file: saveFile,
})
