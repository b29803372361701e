// What waits to be sent, in IndexedDB, and what takes turns between tabs; what is stored here stays.

// A page that was left may stand still until "back" leads to it. What it begins to write then stands
// still too, and WebKit lets no other page at that database meanwhile.
let isFrozen = false
for (const name of ["pagehide", "pageshow"]) {
  addEventListener(name, (event) => { isFrozen = name === "pagehide" && event.persisted })
}

// A function that opens a database, made by make(base) when it is new; a browser that answers
// neither yes nor no within two seconds has none, nor has a page that was left.
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

// One transaction; told(true, result) once it is on the disk, told(false, None) when it failed.
function withOutbox(mode, work, told) {
  const tell = handler(told)
  openOutbox().then((base) => new Promise((resolve, reject) => {
    const change = base.transaction("entries", mode, { durability: "strict" })
    const asked = work(change.objectStore("entries"))
    change.oncomplete = () => resolve(asked.result)
    change.onabort = reject
  })).then((result) => tell(true, toPython(result === undefined ? null : result)),
    () => tell(false, _b_.None))
  return _b_.None
}

function outboxPut(entry, told) {
  return withOutbox("readwrite", (store) => store.put(toJson(entry)), told)
}

// All entries, as dicts.
function outboxAll(told) {
  return withOutbox("readonly", (store) => store.getAll(), told)
}

// Lets go of an entry. What was to follow it follows the version its answer came with; without
// a version it goes too.
function outboxDelete(key, version, told) {
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
  }, told)
}

// Calls work(release) when no other tab is at the same; a tab that holds on for longer than any
// request lasts, or a browser without locks (plain http), does not keep us from going on.
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

// Asks the browser, once, to keep what is stored here when room gets scarce: some ask the person.
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
