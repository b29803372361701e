// IndexedDB access, the outbox stored in it, locks between tabs, and persistent storage.

import { handler, toJson, toPython } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { _b_ } from "../brython/runtime.js"

// A page in the back/forward cache is frozen together with its open transactions, and in WebKit
// these block the database for all other pages. A cached page therefore starts no transactions.
let isFrozen = false
for (const name of ["pagehide", "pageshow"]) {
  addEventListener(name, (event) => { isFrozen = name === "pagehide" && event.persisted })
}

// Return a function that resolves to the open database; make(base) sets up a new one. It rejects on
// an error, after two seconds without a result, or if the page is frozen. It waits for one second
// twice: if the page itself was busy, a result is handled before the second wait ends.
function database(name, make) {
  let base = null
  return () => {
    base = base || new Promise((resolve, reject) => {
      setTimeout(() => setTimeout(reject, 1000), 1000)
      const asked = indexedDB.open(name, 1)
      asked.onupgradeneeded = () => make(asked.result)
      asked.onerror = reject
      asked.onsuccess = () => {
        asked.result.onclose = () => { base = null }
        resolve(asked.result)
      }
    })
    base.catch(() => { base = null })
    return base.then((open) => isFrozen ? Promise.reject() : open)
  }
}

// Return a function transact(mode, work, callback) that runs one transaction of a database;
// make(base) sets up a new one with the object stores `names`. work(...stores, transaction) returns
// a list of requests. The function calls callback(true, a tuple of their results) once the
// transaction is complete, by default also durable, or callback(false, None) if it failed.
export function transactions(name, names, make, options = { durability: "strict" }) {
  const open = database(name, make)
  async function run(mode, work) {
    const base = await open()
    const change = base.transaction(names, mode, options)
    const asked = work(...names.map((each) => change.objectStore(each)), change)
    await new Promise((resolve, reject) => Object.assign(change, { oncomplete: resolve, onabort: reject }))
    return toPython(asked.map(({ result }) => result === undefined ? null : result))
  }
  return (mode, work, callback) => {
    const call = handler(callback)
    run(mode, work).then((results) => call(true, results), () => call(false, _b_.None))
  }
}

const transact = transactions("outbox", ["entries"], (base) => base.createObjectStore("entries", { keyPath: "key" }))

function outboxPut(entry, callback) {
  transact("readwrite", (store) => [store.put(toJson(entry))], callback)
}

// Call callback(true, (entries,)) with all entries as dicts.
function outboxAll(callback) {
  transact("readonly", (store) => [store.getAll()], callback)
}

// Delete an entry. If a version (that of its response) is given, the entries that depend on it get
// it as their expected_version; otherwise they are deleted too.
function outboxDelete(key, version, callback) {
  transact("readwrite", (store) => {
    const asked = store.getAll()
    asked.onsuccess = () => {
      const gone = [key]
      for (let at = 0; at < gone.length; at++) {
        store.delete(gone[at])
        for (const entry of asked.result.filter((each) => each.after === gone[at])) {
          if (version === _b_.None) {
            gone.push(entry.key)
          } else {
            entry.after = null
            entry.body.expected_version = version
            store.put(entry)
          }
        }
      }
    }
    return []
  }, callback)
}

// Call work(release) while holding a Web Lock, until work calls release(). Proceed without the lock
// if locks are not supported (plain http) or another tab holds it for longer than any request takes
// (15 s).
function withLock(name, work) {
  const run = () => new Promise((release) => handler(work)(release))
  if (!navigator.locks) {
    run()
    return
  }
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), 15000)
  navigator.locks.request(name, { signal: patience.signal }, () => {
    clearTimeout(timer)
    return run()
  }).catch(() => run())
}

// Request persistent storage, which the browser does not evict, at most once per page load, because
// some browsers prompt the user.
let isPersistRequested = false

function persistStorage() {
  if (!isPersistRequested && navigator.storage && navigator.storage.persist) {
    isPersistRequested = true
    navigator.storage.persist().catch(() => {})
  }
}

exportToPython({
  outbox_put: outboxPut, outbox_all: outboxAll, outbox_delete: outboxDelete, with_lock: withLock,
  persist_storage: persistStorage,
})
