// Local matches in IndexedDB: a head by id; decisions are stored separately, numbered from 0, so
// that a move writes only the new ones.

const ALL_DECISIONS = (id) => IDBKeyRange.bound([id, 0], [id, Infinity])

const openLocalMatches = database("matches", (base) => {
  base.createObjectStore("heads", { keyPath: "id" })
  base.createObjectStore("decisions")
})

// Run one transaction; callback(true, results of work's requests) once it is durable,
// callback(false, None) if it failed or work aborted it.
function withLocalMatches(mode, work, callback) {
  const call = handler(callback)
  let asked = []
  openLocalMatches().then((base) => new Promise((resolve, reject) => {
    const change = base.transaction(["heads", "decisions"], mode, { durability: "strict" })
    asked = work(change.objectStore("heads"), change.objectStore("decisions"), change)
    change.oncomplete = resolve
    change.onabort = reject
  })).then(() => call(true, toPython(asked.map((each) => each.result === undefined ? null : each.result))),
    () => call(false, _b_.None))
  return _b_.None
}

// Write the head, and decisions from number `first` on. Abort if the number of stored decisions is
// not `first`: another tab has written meanwhile.
function localMatchPut(head, decisions, first, callback) {
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
  }, callback)
}

// callback(true, (head, decisions)); the head is None if there is no such match.
function localMatchGet(id, callback) {
  return withLocalMatches("readonly", (heads, all) => [heads.get(id), all.getAll(ALL_DECISIONS(id))], callback)
}

// callback(true, (heads,)).
function localMatchAll(callback) {
  return withLocalMatches("readonly", (heads) => [heads.getAll()], callback)
}

// Write a head and, with `emptied`, delete the decisions.
function localMatchPutHead(head, emptied, callback) {
  const mine = toJson(head)
  return withLocalMatches("readwrite", (heads, all) => {
    heads.put(mine)
    if (emptied) {
      all.delete(ALL_DECISIONS(mine.id))
    }
    return []
  }, callback)
}

// Set the board picture in the stored head; do nothing if there is no such match.
function localMatchPutPicture(id, picture) {
  return withLocalMatches("readwrite", (heads) => {
    const known = heads.get(id)
    known.onsuccess = () => known.result && heads.put({ ...known.result, picture })
    return []
  }, () => {})
}

function localMatchDelete(id, callback) {
  return withLocalMatches("readwrite", (heads, all) => {
    heads.delete(id)
    all.delete(ALL_DECISIONS(id))
    return []
  }, callback)
}

Object.assign(native, {
  local_match_put: localMatchPut, local_match_get: localMatchGet, local_match_all: localMatchAll,
  local_match_put_head: localMatchPutHead, local_match_put_picture: localMatchPutPicture,
  local_match_delete: localMatchDelete,
})
