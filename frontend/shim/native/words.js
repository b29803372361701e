// The catalogues of the page's language: the shell's is here when the app starts, a game's comes
// with the game. English has none.

const words = () => $B.words || { on: [], rooms: {} } // boot.js has put them there

function catalogue(room) {
  const known = words().rooms[room]
  return known ? toPython(known) : _b_.None
}

// Has a room's catalogue here; fails when the network does.
async function loadWords(room) {
  const { tag, on, rooms } = words()
  if (on.includes(room) && !rooms[room]) {
    const answer = await fetch(`/words/${tag}/${room}.json`)
    if (!answer.ok) {
      throw new Error(room)
    }
    rooms[room] = await answer.json()
  }
}

Object.assign(native, { catalogue })
