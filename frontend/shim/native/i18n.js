// The catalogues of the page's language: the shell's is here when the app starts, a game's comes
// with the game. English has none.

const catalogues = () => $B.words || { on: {}, rooms: {} } // boot.js has put them there

function catalogue(room) {
  const known = catalogues().rooms[room]
  return known ? toPython(known) : _b_.None
}

// Has a room's catalogue here; fails when the network does.
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

// The languages on offer as (tag, what it calls itself), English first.
function languages() {
  const told = ["en", ...Object.keys(JSON.parse(document.documentElement.dataset.words || "{}"))]
  return $B.fast_tuple(told.map((tag) => $B.fast_tuple([tag, ownName(tag)])))
}

function ownName(tag) {
  const name = new Intl.DisplayNames(tag, { type: "language", fallback: "code" }).of(tag)
  return name[0].toLocaleUpperCase(tag) + name.slice(1)
}

// Begins anew in a language, which the device keeps; boot.js reads it.
function setLanguage(tag) {
  accessLocalStorage("language", tag)
  location.reload()
  return _b_.None
}

Object.assign(native, { catalogue, languages, set_language: setLanguage })
