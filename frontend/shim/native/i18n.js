// Message catalogues of the page's language. The shell's catalogue is loaded before the app starts,
// a game's together with the game.

import { handler, toPython } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { $B, _b_ } from "../brython/runtime.js"
import { BundleError } from "./bundle_error.js"
import { accessLocalStorage } from "./storage.js"

const catalogues = () => $B.catalogues || { on: {}, rooms: {} } // set by boot.js

function catalogue(room) {
  const known = catalogues().rooms[room]
  return known ? toPython(known) : _b_.None
}

const fetching = {}

// Load the message catalogue of a gettext domain, if the language has one and it is not loaded yet;
// "late" is what the shell's catalogue lacks. Rejects on a network error or an error response.
export function loadCatalogue(room) {
  const { on, rooms } = catalogues()
  if (!on[room] || rooms[room]) {
    return Promise.resolve()
  }
  return fetching[room] ||= fetchCatalogue(room).finally(() => { delete fetching[room] })
}

async function fetchCatalogue(room) {
  const { tag, on, rooms } = catalogues()
  const answer = await fetch(`/words/${tag}/${room}.${on[room]}.json`)
  if (!answer.ok) {
    throw new BundleError(answer.url, answer.status)
  }
  rooms[room] = await answer.json()
  if (room === "late") {
    addLate()
  }
}

let addLate = () => {}

// Call add(catalogue) once the catalogue "late" is loaded.
function onLateCatalogue(add) {
  const run = handler(add)
  addLate = () => run(catalogue("late"))
  if (catalogues().rooms.late) {
    addLate()
  }
}

// Return the available languages as tuples (tag, native name), English first.
function languages() {
  const offered = Object.keys(JSON.parse(document.documentElement.dataset.words))
  const tags = ["en", ...offered.filter((tag) => tag !== "en")]
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
}

exportToPython({ catalogue, languages, on_late_catalogue: onLateCatalogue, set_language: setLanguage })
