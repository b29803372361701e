// Tables as this device last knew them, in IndexedDB. A table's events lie apart from its head, by
// version, so that a move writes only what is new.

const MAX_CACHED_MATCHES = 12 // are kept, those looked at last
const ALL_EVENTS = (id) => IDBKeyRange.bound([id, 0], [id, Infinity])

const openMatchCache = database("tables", (base) => {
  base.createObjectStore("heads", { keyPath: "id" })
  base.createObjectStore("events")
})

// One transaction over heads and events; work(heads, events) gives the requests whose results
// told(...) gets: None for each when it failed.
function withMatchCache(mode, work, told) {
  const tell = told && handler(told)
  let asked = []
  openMatchCache().then((base) => new Promise((resolve, reject) => {
    const change = base.transaction(["heads", "events"], mode)
    asked = work(change.objectStore("heads"), change.objectStore("events"))
    change.oncomplete = resolve
    change.onabort = reject
  })).then(() => asked.map((each) => toPython(each.result === undefined ? null : each.result)),
    () => [_b_.None, _b_.None]).then((results) => tell && tell(...results))
  return _b_.None
}

// Keeps a head, and events of which the first has the number after `after`; 0: instead of all.
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

// Calls told(head, events); None when nothing is kept.
function matchCacheGet(id, told) {
  return withMatchCache("readonly", (heads, all) => [heads.get(id), all.getAll(ALL_EVENTS(id))], told)
}

function matchCacheClear() {
  return withMatchCache("readwrite", (heads, all) => [heads.clear(), all.clear()])
}

Object.assign(native, {
  match_cache_put: matchCachePut, match_cache_get: matchCacheGet,
  match_cache_clear: matchCacheClear,
})
