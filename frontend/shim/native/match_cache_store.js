// Cache of recently viewed matches in IndexedDB. Events are stored separately from the head, by
// version, so that a move writes only the new ones.

const MAX_CACHED_MATCHES = 12 // the least recently stored are evicted
const ALL_EVENTS = (id) => IDBKeyRange.bound([id, 0], [id, Infinity])

const openMatchCache = database("tables", (base) => {
  base.createObjectStore("heads", { keyPath: "id" })
  base.createObjectStore("events")
})

// Run one transaction over heads and events. work(heads, events) returns requests; callback(...)
// gets their results, None for each if the transaction failed.
function withMatchCache(mode, work, callback) {
  const call = callback && handler(callback)
  let asked = []
  openMatchCache().then((base) => new Promise((resolve, reject) => {
    const change = base.transaction(["heads", "events"], mode)
    asked = work(change.objectStore("heads"), change.objectStore("events"))
    change.oncomplete = resolve
    change.onabort = reject
  })).then(() => asked.map((each) => toPython(each.result === undefined ? null : each.result)),
    () => [_b_.None, _b_.None]).then((results) => call && call(...results))
  return _b_.None
}

// Store a head and the events after version `after`; with 0 they replace all stored events.
function matchCachePut(head, events, after) {
  const mine = { ...toJson(head), kept: new Date().toISOString() }
  return withMatchCache("readwrite", (heads, all) => {
    if (after === 0) {
      all.delete(ALL_EVENTS(mine.id))
    }
    for (const event of toJson(events)) {
      all.put(event, [mine.id, event.version])
    }
    heads.put(mine)
    const known = heads.getAll()
    known.onsuccess = () => {
      const oldest = known.result.sort((a, b) => (a.kept < b.kept ? 1 : -1)).slice(MAX_CACHED_MATCHES)
      for (const { id } of oldest) {
        heads.delete(id)
        all.delete(ALL_EVENTS(id))
      }
    }
    return []
  })
}

// callback(head, events); head is None if the match is not cached.
function matchCacheGet(id, callback) {
  return withMatchCache("readonly", (heads, all) => [heads.get(id), all.getAll(ALL_EVENTS(id))], callback)
}

function matchCacheClear() {
  return withMatchCache("readwrite", (heads, all) => [heads.clear(), all.clear()])
}

Object.assign(native, {
  match_cache_put: matchCachePut, match_cache_get: matchCacheGet,
  match_cache_clear: matchCacheClear,
})
