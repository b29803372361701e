// Cache of recently viewed matches in IndexedDB. Events are stored separately from the match's
// head, by version, so that a move writes only the new ones.

import { toJson } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { transactions } from "./outbox_store.js"

const MAX_CACHED_MATCHES = 12 // the least recently stored are evicted
const ALL_EVENTS = (id) => IDBKeyRange.bound([id, 0], [id, Infinity])

const transact = transactions("tables", ["heads", "events"], (base) => {
  base.createObjectStore("heads", { keyPath: "id" })
  base.createObjectStore("events")
}, {})

// Store a head, and events after version `after`; if that is 0, replace all stored events. Then
// evict the oldest matches.
function matchCachePut(head, events, after) {
  const mine = { ...toJson(head), kept: new Date().toISOString() }
  transact("readwrite", (heads, all) => {
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
  }, () => {})
}

// Call callback(true, (head, events)); the head is None if the match is not cached.
function matchCacheGet(id, callback) {
  transact("readonly", (heads, all) => [heads.get(id), all.getAll(ALL_EVENTS(id))], callback)
}

function matchCacheClear() {
  transact("readwrite", (heads, all) => [heads.clear(), all.clear()], () => {})
}

exportToPython({
  match_cache_put: matchCachePut, match_cache_get: matchCacheGet,
  match_cache_clear: matchCacheClear,
})
