// Message catalogues of the page's language: the shell's is loaded before the app starts, a game's
// with the game. English has none.

const catalogues = () => $B.catalogues || { on: {}, rooms: {} } // set by boot.js

function catalogue(room) {
  const known = catalogues().rooms[room]
  return known ? toPython(known) : _b_.None
}

// Load the message catalogue of a domain; rejects on a network error.
async function loadCatalogue(room) {
  const { tag, on, rooms } = catalogues()
  if (on[room] && !rooms[room]) {
    const answer = await fetch(`/words/${tag}/${room}.${on[room]}.json`)
    if (!answer.ok) {
      throw new BundleError(answer.url, answer.status)
    }
    rooms[room] = await answer.json()
  }
}

// The available languages as (tag, native name), English first.
function languages() {
  const tags = ["en", ...Object.keys(JSON.parse(document.documentElement.dataset.words || "{}"))]
  return $B.fast_tuple(tags.map((tag) => $B.fast_tuple([tag, ownName(tag)])))
}

function ownName(tag) {
  const name = new Intl.DisplayNames(tag, { type: "language", fallback: "code" }).of(tag)
  return name[0].toLocaleUpperCase(tag) + name.slice(1)
}

// Store a language, which boot.js reads, and reload.
function setLanguage(tag) {
  accessLocalStorage("language", tag)
  location.reload()
  return _b_.None
}

Object.assign(native, { catalogue, languages, set_language: setLanguage })
