// Message catalogues of the page's language. The shell's catalogue is loaded before the app starts,
// a game's together with the game. English has none.

import { toPython } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { $B, _b_ } from "../brython/runtime.js"
import { BundleError } from "./bundle_error.js"
import { accessLocalStorage } from "./storage.js"

const catalogues = () => $B.catalogues || { on: {}, rooms: {} } // set by boot.js

function catalogue(room) {
  const known = catalogues().rooms[room]
  return known ? toPython(known) : _b_.None
}

// Load the message catalogue of a gettext domain, if the language has one and it is not loaded yet.
// Rejects on a network error or an error response.
export async function loadCatalogue(room) {
  const { tag, on, rooms } = catalogues()
  if (on[room] && !rooms[room]) {
    const answer = await fetch(`/words/${tag}/${room}.${on[room]}.json`)
    if (!answer.ok) {
      throw new BundleError(answer.url, answer.status)
    }
    rooms[room] = await answer.json()
  }
}

// Return the available languages as tuples (tag, native name), English first.
function languages() {
  const tags = ["en", ...Object.keys(JSON.parse(document.documentElement.dataset.words || "{}"))]
  return $B.fast_tuple(tags.map((tag) => $B.fast_tuple([tag, ownName(tag)])))
}

function ownName(tag) {
  const name = new Intl.DisplayNames(tag, { type: "language", fallback: "code" }).of(tag)
  return name[0].toLocaleUpperCase(tag) + name.slice(1)
}

// Store a language for boot.js and reload the page.
function setLanguage(tag) {
  accessLocalStorage("language", tag)
  location.reload()
  return _b_.None
}

exportToPython({ catalogue, languages, set_language: setLanguage })
