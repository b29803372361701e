// Local matches in IndexedDB. Each match has a head, stored by id. Its decisions are stored
// separately, numbered from 0, so that a move writes only the new ones.

import { toJson } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { transactions } from "./outbox_store.js"

const ALL_DECISIONS = (id) => IDBKeyRange.bound([id, 0], [id, Infinity])

const transact = transactions("matches", ["heads", "decisions"], (base) => {
  base.createObjectStore("heads", { keyPath: "id" })
  base.createObjectStore("decisions")
})

// Store the head, and append decisions, of which the first has the number `first`. Abort if the
// number of stored decisions differs from `first`: another tab has written meanwhile.
function localMatchPut(head, decisions, first, callback) {
  const mine = toJson(head)
  const added = toJson(decisions)
  transact("readwrite", (heads, all, change) => {
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

// Call callback(true, (head, decisions)); the head is None if there is no such match.
function localMatchGet(id, callback) {
  transact("readonly", (heads, all) => [heads.get(id), all.getAll(ALL_DECISIONS(id))], callback)
}

// Call callback(true, (heads,)) with the heads of all local matches.
function localMatchAll(callback) {
  transact("readonly", (heads) => [heads.getAll()], callback)
}

// Store a head and, if `emptied`, delete the match's decisions.
function localMatchPutHead(head, emptied, callback) {
  const mine = toJson(head)
  transact("readwrite", (heads, all) => {
    heads.put(mine)
    if (emptied) {
      all.delete(ALL_DECISIONS(mine.id))
    }
    return []
  }, callback)
}

// Set the board picture in a stored head; do nothing if there is no such match.
function localMatchPutPicture(id, picture) {
  transact("readwrite", (heads) => {
    const known = heads.get(id)
    known.onsuccess = () => known.result && heads.put({ ...known.result, picture })
    return []
  }, () => {})
}

function localMatchDelete(id, callback) {
  transact("readwrite", (heads, all) => {
    heads.delete(id)
    all.delete(ALL_DECISIONS(id))
    return []
  }, callback)
}

exportToPython({
  local_match_put: localMatchPut, local_match_get: localMatchGet, local_match_all: localMatchAll,
  local_match_put_head: localMatchPutHead, local_match_put_picture: localMatchPutPicture,
  local_match_delete: localMatchDelete,
})
