// Matches that are played on this phone itself, in IndexedDB: a head by id, and its decisions apart,
// numbered from 0, so that a move writes only what is new.

const ALL_DECISIONS = (id) => IDBKeyRange.bound([id, 0], [id, Infinity])

const ownMatches = database("matches", (base) => {
  base.createObjectStore("heads", { keyPath: "id" })
  base.createObjectStore("decisions")
})

// One transaction; told(true, results of work's requests) once it is on the disk, told(false, None)
// when it failed or work gave it up.
function onMatches(mode, work, told) {
  const tell = handler(told)
  let asked = []
  ownMatches().then((base) => new Promise((resolve, reject) => {
    const change = base.transaction(["heads", "decisions"], mode, { durability: "strict" })
    asked = work(change.objectStore("heads"), change.objectStore("decisions"), change)
    change.oncomplete = resolve
    change.onabort = reject
  })).then(() => tell(true, toPython(asked.map((each) => each.result === undefined ? null : each.result))),
    () => tell(false, _b_.None))
  return _b_.None
}

// Writes the head, and decisions from number `first` on; not where another tab has written that
// number before.
function keepMatch(head, decisions, first, told) {
  const mine = toJson(head)
  const added = toJson(decisions)
  return onMatches("readwrite", (heads, all, change) => {
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
  }, told)
}

// Calls told(true, (head, decisions)); the head is None when there is no such match.
function keptMatch(id, told) {
  return onMatches("readonly", (heads, all) => [heads.get(id), all.getAll(ALL_DECISIONS(id))], told)
}

// Calls told(true, (heads,)).
function keptMatches(told) {
  return onMatches("readonly", (heads) => [heads.getAll()], told)
}

// Changes a head, and with `emptied` lets go of the decisions.
function keepHead(head, emptied, told) {
  const mine = toJson(head)
  return onMatches("readwrite", (heads, all) => {
    heads.put(mine)
    if (emptied) {
      all.delete(ALL_DECISIONS(mine.id))
    }
    return []
  }, told)
}

// Puts a picture of the board into a head as it is by now; nothing where there is none.
function keepPicture(id, picture) {
  return onMatches("readwrite", (heads) => {
    const known = heads.get(id)
    known.onsuccess = () => known.result && heads.put({ ...known.result, picture })
    return []
  }, () => {})
}

function dropMatch(id, told) {
  return onMatches("readwrite", (heads, all) => {
    heads.delete(id)
    all.delete(ALL_DECISIONS(id))
    return []
  }, told)
}

// 32 bytes of the device's own chance, as hex digits.
function randomSeed() {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

function below(n) {
  const most = Math.floor(0x100000000 / n) * n
  let word = most
  while (word >= most) {
    [word] = crypto.getRandomValues(new Uint32Array(1))
  }
  return word % n
}

// Milliseconds since 1970 in RFC 3339.
function timestamp(milliseconds) {
  return new Date(milliseconds).toISOString()
}

Object.assign(native, {
  keep_match: keepMatch, kept_match: keptMatch, kept_matches: keptMatches, keep_head: keepHead,
  keep_picture: keepPicture,
  drop_match: dropMatch, random_seed: randomSeed, below, timestamp,
})
