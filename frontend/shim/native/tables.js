// Tables as this device last knew them, in IndexedDB. A table's events lie apart from its head, by
// version, so that a move writes only what is new.

const TABLES = 12 // are kept, those looked at last
const ALL_EVENTS = (id) => IDBKeyRange.bound([id, 0], [id, Infinity])

const tables = database("tables", (base) => {
  base.createObjectStore("heads", { keyPath: "id" })
  base.createObjectStore("events")
})

// One transaction over heads and events; work(heads, events) gives the requests whose results
// told(...) gets: None for each when it failed.
function onTables(mode, work, told) {
  const tell = told && handler(told)
  let asked = []
  tables().then((base) => new Promise((resolve, reject) => {
    const change = base.transaction(["heads", "events"], mode)
    asked = work(change.objectStore("heads"), change.objectStore("events"))
    change.oncomplete = resolve
    change.onabort = reject
  })).then(() => asked.map((each) => toPython(each.result === undefined ? null : each.result)),
    () => [_b_.None, _b_.None]).then((results) => tell && tell(...results))
  return _b_.None
}

// Keeps a head, and events of which the first has the number after `after`; 0: instead of all.
function keepTable(head, events, after) {
  const mine = { ...toJson(head), kept: new Date().toISOString() }
  return onTables("readwrite", (heads, all) => {
    if (after === 0) {
      all.delete(ALL_EVENTS(mine.id))
    }
    for (const event of toJson(events)) {
      all.put(event, [mine.id, event.version])
    }
    heads.put(mine)
    const known = heads.getAll()
    known.onsuccess = () => {
      const oldest = known.result.sort((a, b) => (a.kept < b.kept ? 1 : -1)).slice(TABLES)
      for (const { id } of oldest) {
        heads.delete(id)
        all.delete(ALL_EVENTS(id))
      }
    }
    return []
  })
}

// Calls told(head, events); None when nothing is kept.
function keptTable(id, told) {
  return onTables("readonly", (heads, all) => [heads.get(id), all.getAll(ALL_EVENTS(id))], told)
}

function dropTables() {
  return onTables("readwrite", (heads, all) => [heads.clear(), all.clear()])
}

Object.assign(native, { keep_table: keepTable, kept_table: keptTable, drop_tables: dropTables })
