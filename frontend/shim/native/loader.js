// What comes with a game: its code, its style sheet and its symbols.

const loading = {}

// A part of this version of the app did not come; `status` where it is known.
class BundleError extends Error {
  constructor(address, status) {
    super(address)
    Object.assign(this, { address, status })
  }
}

// What is to be done when a part does not come: failed(gone). Gone is what the service does not have
// any more: another version has taken its place, and to ask again is of no use. What scripts and style
// sheets fail with the browser does not say, so it is asked for once more.
function reportFailure(failed) {
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
function loadBundle(part) {
  const wanted = part === "opening" ? [part] : [...new Set(["table", part])]
  return Promise.all(wanted.map((each) => loading[each] ||= loadScripts(each)))
}

// Has here what plays matches on this phone itself; with a game, that game's too.
function loadLocalServer(game, done, failed) {
  const told = handler(done)
  const ran = game === _b_.None ? ["phone"] : ["phone", "rules-" + game]
  const parts = [...ran, "game-" + game].filter((part) => $B.parts[part])
  Promise.all([...parts.map(loadBundle), game === _b_.None || loadCatalogue(game)])
    .then(() => ran.some((part) => $B.inTurn(part)) && slices.run())
    .then(() => told(), reportFailure(failed))
  return _b_.None
}

function loadScripts(part) {
  const scripts = $B.parts[part].map(() => document.createElement("script"))
  return Promise.all(scripts.map((script, i) => new Promise((loaded, lost) => {
    const address = $B.parts[part][i]
    Object.assign(script, { src: address, onload: loaded, onerror: () => lost(new BundleError(address)) })
    document.head.append(script)
  }))).then(() => slices.run()).catch((problem) => {
    delete loading[part] // it is asked for again
    scripts.forEach((script) => script.remove())
    throw problem
  })
}

// Calls done() when the code of a table is here, whatever the game.
function loadMatchPage(done, failed) {
  const told = handler(done)
  loadBundle("table").then(() => $B.inTurn("table") && slices.run()).then(() => told(), reportFailure(failed))
  return _b_.None
}

// Runs the code of the game whose look is worn, then calls done(), unless another is worn by then.
function runGame(done) {
  const told = handler(done), mine = activeStyle
  if ($B.inTurn("game-" + mine.name)) {
    slices.run().then(() => activeStyle === mine && told())
  } else {
    told()
  }
  return _b_.None
}

// Calls done() when a part is here that goes with a game ("guide-GAME"), and what shows it.
function loadLazyBundle(part, done, failed) {
  const told = handler(done)
  Promise.all([loadBundle(part.split("-")[0]), loadBundle(part)]).then(() => told(), reportFailure(failed))
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
    loadBundle(part).catch(() => {})
  }
  if (window.expected) {
    window.expected.then(({ game }) => activateStyle(hasModule(game, "screen") ? game : "generic", game).here).catch(() => {})
  }
}

// A game's code and look: its style sheet and its symbols. Those of one game are in the page at a time,
// so that two games may use the same names. Calls done() when both are there; a look that is
// not wanted any more by then calls nothing.
let activeStyle = { name: null, nodes: [], ready: true }

function loadGameAssets(name, room, done, failed) {
  const mine = activateStyle(name, room)
  if (mine.ready) {
    handler(done)()
  } else {
    const lost = reportFailure((gone) => activeStyle === mine && handler(failed)(gone))
    mine.here.then(() => activeStyle === mine && handler(done)(), lost)
  }
  return _b_.None
}

// Has a look on its way, the same one once.
function activateStyle(name, room) {
  if (activeStyle.name === name && !activeStyle.lost) {
    return activeStyle
  }
  activeStyle.nodes.forEach((node) => node.remove())
  const look = $B.looks[name] || {}
  const mine = activeStyle = { name, nodes: [], ready: false, lost: false }
  const parts = [loadBundle("game-" + name), look.css && loadStyleSheet(mine, look.css), look.svg && loadSymbols(mine, look.svg), loadCatalogue(room)]
  mine.here = Promise.all(parts).then(() => { mine.ready = true }, (problem) => { mine.lost = true; throw problem })
  return mine
}

function loadStyleSheet(mine, address) {
  const link = document.createElement("link")
  mine.nodes.push(link)
  return new Promise((loaded, lost) => {
    const fail = () => lost(new BundleError(address))
    Object.assign(link, { rel: "stylesheet", href: address, onload: loaded, onerror: fail })
    document.head.append(link)
  })
}

async function loadSymbols(mine, address) {
  const answer = await fetch(address)
  if (!answer.ok) {
    throw new BundleError(address, answer.status)
  }
  const found = new DOMParser().parseFromString(await answer.text(), "image/svg+xml")
  if (activeStyle === mine) {
    const symbols = document.importNode(found.documentElement, true)
    mine.nodes.push(symbols)
    document.body.prepend(symbols)
  }
}

Object.assign(native, {
  load_game_assets: loadGameAssets, load_match_page: loadMatchPage,
  load_local_server: loadLocalServer, run_game: runGame, load_lazy_bundle: loadLazyBundle, guides,
  lessons, has_module: hasModule,
})
