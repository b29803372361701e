// Cache of recently viewed matches in IndexedDB. Events are stored separately from the match's
// head, by version, so that a move writes only the new ones.

import { handler, toJson } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { _b_ } from "../brython/runtime.js"
import { transactions } from "./outbox_store.js"

const MAX_CACHED_MATCHES = 12 // the least recently stored are evicted
const ALL_EVENTS = (id) => IDBKeyRange.bound([id, 0], [id, Infinity])

const transact = transactions("tables", ["heads", "events"], (base) => {
  base.createObjectStore("heads", { keyPath: "id" })
  base.createObjectStore("events")
}, {})

// Run one transaction. work(heads, events) returns a list of requests. Call the optional callback
// with their results as arguments, or with (None, None) if the transaction failed.
function withMatchCache(mode, work, callback) {
  const call = callback && handler(callback)
  transact(mode, work).catch(() => [_b_.None, _b_.None]).then((results) => call && call(...results))
}

// Store a head, and events after version `after`; if that is 0, replace all stored events. Then
// evict the oldest matches.
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

// Call callback(head, events); the head is None if the match is not cached.
function matchCacheGet(id, callback) {
  return withMatchCache("readonly", (heads, all) => [heads.get(id), all.getAll(ALL_EVENTS(id))], callback)
}

function matchCacheClear() {
  return withMatchCache("readwrite", (heads, all) => [heads.clear(), all.clear()])
}

exportToPython({
  match_cache_put: matchCachePut, match_cache_get: matchCacheGet,
  match_cache_clear: matchCacheClear,
})
