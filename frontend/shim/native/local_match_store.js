// Matches that are played on this phone itself, in IndexedDB: a head by id, and its decisions apart,
// numbered from 0, so that a move writes only what is new.

const ALL_DECISIONS = (id) => IDBKeyRange.bound([id, 0], [id, Infinity])

const openLocalMatches = database("matches", (base) => {
  base.createObjectStore("heads", { keyPath: "id" })
  base.createObjectStore("decisions")
})

// One transaction; told(true, results of work's requests) once it is on the disk, told(false, None)
// when it failed or work gave it up.
function withLocalMatches(mode, work, told) {
  const tell = handler(told)
  let asked = []
  openLocalMatches().then((base) => new Promise((resolve, reject) => {
    const change = base.transaction(["heads", "decisions"], mode, { durability: "strict" })
    asked = work(change.objectStore("heads"), change.objectStore("decisions"), change)
    change.oncomplete = resolve
    change.onabort = reject
  })).then(() => tell(true, toPython(asked.map((each) => each.result === undefined ? null : each.result))),
    () => tell(false, _b_.None))
  return _b_.None
}

// Writes the head, and decisions from number `first` on; not where another tab has written that
// number before.
function localMatchPut(head, decisions, first, told) {
  const mine = toJson(head)
  const added = toJson(decisions)
  return withLocalMatches("readwrite", (heads, all, change) => {
    const known = all.count(ALL_DECISIONS(mine.id))
    known.onsuccess = () => {
      if (known.result !== first) {
        change.abort()
        return
      }
      added.forEach((decision, number) => all.put(decision, [mine.id, first + number]))
      heads.put(mine)
    }
    return []
  }, told)
}

// Calls told(true, (head, decisions)); the head is None when there is no such match.
function localMatchGet(id, told) {
  return withLocalMatches("readonly", (heads, all) => [heads.get(id), all.getAll(ALL_DECISIONS(id))], told)
}

// Calls told(true, (heads,)).
function localMatchAll(told) {
  return withLocalMatches("readonly", (heads) => [heads.getAll()], told)
}

// Changes a head, and with `emptied` lets go of the decisions.
function localMatchPutHead(head, emptied, told) {
  const mine = toJson(head)
  return withLocalMatches("readwrite", (heads, all) => {
    heads.put(mine)
    if (emptied) {
      all.delete(ALL_DECISIONS(mine.id))
    }
    return []
  }, told)
}

// Puts a picture of the board into a head as it is by now; nothing where there is none.
function localMatchPutPicture(id, picture) {
  return withLocalMatches("readwrite", (heads) => {
    const known = heads.get(id)
    known.onsuccess = () => known.result && heads.put({ ...known.result, picture })
    return []
  }, () => {})
}

function localMatchDelete(id, told) {
  return withLocalMatches("readwrite", (heads, all) => {
    heads.delete(id)
    all.delete(ALL_DECISIONS(id))
    return []
  }, told)
}

Object.assign(native, {
  local_match_put: localMatchPut, local_match_get: localMatchGet, local_match_all: localMatchAll,
  local_match_put_head: localMatchPutHead, local_match_put_picture: localMatchPutPicture,
  local_match_delete: localMatchDelete,
})
