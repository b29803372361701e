// The outbox in IndexedDB, locks between tabs, and persistent storage.

// A page in the back/forward cache is frozen, and so are its open transactions; WebKit blocks
// the database for all other pages meanwhile. A page therefore starts none once it is cached.
let isFrozen = false
for (const name of ["pagehide", "pageshow"]) {
  addEventListener(name, (event) => { isFrozen = name === "pagehide" && event.persisted })
}

// Return a function that opens a database, creating it with make(base). It rejects if the browser
// does not answer within two seconds or the page is frozen.
function database(name, make) {
  let base = null
  return () => {
    base = base || new Promise((resolve, reject) => {
      setTimeout(reject, 2000)
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

const openOutbox = database("outbox", (base) => base.createObjectStore("entries", { keyPath: "key" }))

// Run one transaction; callback(true, result) once it is durable, callback(false, None) if it
// failed.
function withOutbox(mode, work, callback) {
  const call = handler(callback)
  openOutbox().then((base) => new Promise((resolve, reject) => {
    const change = base.transaction("entries", mode, { durability: "strict" })
    const asked = work(change.objectStore("entries"))
    change.oncomplete = () => resolve(asked.result)
    change.onabort = reject
  })).then((result) => call(true, toPython(result === undefined ? null : result)),
    () => call(false, _b_.None))
  return _b_.None
}

function outboxPut(entry, callback) {
  return withOutbox("readwrite", (store) => store.put(toJson(entry)), callback)
}

// All entries, as dicts.
function outboxAll(callback) {
  return withOutbox("readonly", (store) => store.getAll(), callback)
}

// Delete an entry. Entries that depend on it get the version of its response as expected_version;
// without a version they are deleted too.
function outboxDelete(key, version, callback) {
  return withOutbox("readwrite", (store) => {
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
    return asked
  }, callback)
}

// Call work(release) while holding a Web Lock. Without lock support (plain http), or if another tab
// holds the lock for longer than any request takes (15 s), proceed without it.
function withLock(name, work) {
  const run = () => new Promise((release) => handler(work)(release))
  if (!navigator.locks) {
    run()
    return _b_.None
  }
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), 15000)
  navigator.locks.request(name, { signal: patience.signal }, () => {
    clearTimeout(timer)
    return run()
  }).catch(() => run())
  return _b_.None
}

// Ask the browser once for persistent storage, which it does not evict; some prompt the user.
let isPersistRequested = false

function persistStorage() {
  if (!isPersistRequested && navigator.storage && navigator.storage.persist) {
    isPersistRequested = true
    navigator.storage.persist().catch(() => {})
  }
  return _b_.None
}

Object.assign(native, {
  outbox_put: outboxPut, outbox_all: outboxAll, outbox_delete: outboxDelete, with_lock: withLock,
  persist_storage: persistStorage,
})
