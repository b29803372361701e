// What comes with a game: its code, its style sheet and its symbols.

const arriving = {}

// A part of this version of the app did not come; `status` where it is known.
class PartLost extends Error {
  constructor(address, status) {
    super(address)
    Object.assign(this, { address, status })
  }
}

// What is to be done when a part does not come: failed(gone). Gone is what the service does not have
// any more: another version has taken its place, and to ask again is of no use. What scripts and style
// sheets fail with the browser does not say, so it is asked for once more.
function failing(failed) {
  const lost = handler(failed)
  return (problem) => isGone(problem).then(lost)
}

async function isGone({ address, status }) {
  if (address && !status) {
    status = await fetch(address, { cache: "no-cache" }).then((answer) => answer.status, () => 0)
  }
  return status === 404 || status === 410
}

// Has a part of the code here, with what more than one game needs; fails when the network does.
// Setting a table needs nothing of a board.
function loadPart(part) {
  const wanted = part === "opening" ? [part] : [...new Set(["table", part])]
  return Promise.all(wanted.map((each) => arriving[each] ||= scripted(each)))
}

// Has here what plays matches on this phone itself; with a game, that game's too.
function loadPhone(game, done, failed) {
  const told = handler(done)
  const ran = game === _b_.None ? ["phone"] : ["phone", "rules-" + game]
  const parts = [...ran, "game-" + game].filter((part) => $B.parts[part])
  Promise.all([...parts.map(loadPart), game === _b_.None || loadWords(game)])
    .then(() => ran.some((part) => $B.inTurn(part)) && slices.run())
    .then(() => told(), failing(failed))
  return _b_.None
}

function scripted(part) {
  const scripts = $B.parts[part].map(() => document.createElement("script"))
  return Promise.all(scripts.map((script, i) => new Promise((loaded, lost) => {
    const address = $B.parts[part][i]
    Object.assign(script, { src: address, onload: loaded, onerror: () => lost(new PartLost(address)) })
    document.head.append(script)
  }))).then(() => slices.run()).catch((problem) => {
    delete arriving[part] // it is asked for again
    scripts.forEach((script) => script.remove())
    throw problem
  })
}

// Calls done() when the code of a table is here, whatever the game.
function loadTable(done, failed) {
  const told = handler(done)
  loadPart("table").then(() => $B.inTurn("table") && slices.run()).then(() => told(), failing(failed))
  return _b_.None
}

// Runs the code of the game whose look is worn, then calls done(), unless another is worn by then.
function runGame(done) {
  const told = handler(done), mine = worn
  if ($B.inTurn("game-" + mine.name)) {
    slices.run().then(() => worn === mine && told())
  } else {
    told()
  }
  return _b_.None
}

// Calls done() when a part is here that goes with a game ("guide-GAME"), and what shows it.
function loadGuidePart(part, done, failed) {
  const told = handler(done)
  Promise.all([loadPart(part.split("-")[0]), loadPart(part)]).then(() => told(), failing(failed))
  return _b_.None
}

// The titles of the games that have a guide, by slug.
function guides() {
  return toPython($B.guides)
}

// And of those that can be learnt by playing.
function lessons() {
  return toPython($B.lessons)
}

function hasModule(game, name) {
  return ($B.houses[game] || []).includes(name)
}

// What the page needs comes while the app is still starting: the code that sets a table, or that of
// every table and, as soon as boot.js knows the match, all of its game. Who needs it asks for it again.
$B.expect = function () {
  const part = location.pathname.startsWith("/m/") ? "table" : /^\/(new$|join\/)/.test(location.pathname) && "opening"
  if (part) {
    loadPart(part).catch(() => {})
  }
  if (window.expected) {
    window.expected.then(({ game }) => wear(hasModule(game, "screen") ? game : "generic", game).here).catch(() => {})
  }
}

// A game's code and look: its style sheet and its symbols. Those of one game are in the page at a time,
// so that two games may use the same names. Calls done() when both are there; a look that is
// not wanted any more by then calls nothing.
let worn = { name: null, nodes: [], ready: true }

function loadStyle(name, room, done, failed) {
  const mine = wear(name, room)
  if (mine.ready) {
    handler(done)()
  } else {
    const lost = failing((gone) => worn === mine && handler(failed)(gone))
    mine.here.then(() => worn === mine && handler(done)(), lost)
  }
  return _b_.None
}

// Has a look on its way, the same one once.
function wear(name, room) {
  if (worn.name === name && !worn.lost) {
    return worn
  }
  worn.nodes.forEach((node) => node.remove())
  const look = $B.looks[name] || {}
  const mine = worn = { name, nodes: [], ready: false, lost: false }
  const parts = [loadPart("game-" + name), look.css && styled(mine, look.css), look.svg && drawn(mine, look.svg), loadWords(room)]
  mine.here = Promise.all(parts).then(() => { mine.ready = true }, (problem) => { mine.lost = true; throw problem })
  return mine
}

function styled(mine, address) {
  const link = document.createElement("link")
  mine.nodes.push(link)
  return new Promise((loaded, lost) => {
    const fail = () => lost(new PartLost(address))
    Object.assign(link, { rel: "stylesheet", href: address, onload: loaded, onerror: fail })
    document.head.append(link)
  })
}

async function drawn(mine, address) {
  const answer = await fetch(address)
  if (!answer.ok) {
    throw new PartLost(address, answer.status)
  }
  const found = new DOMParser().parseFromString(await answer.text(), "image/svg+xml")
  if (worn === mine) {
    const symbols = document.importNode(found.documentElement, true)
    mine.nodes.push(symbols)
    document.body.prepend(symbols)
  }
}

Object.assign(native, {
  load_style: loadStyle, load_table: loadTable, load_phone: loadPhone, run_game: runGame,
  load_guide_part: loadGuidePart, guides, lessons, has_module: hasModule,
})
