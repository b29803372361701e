// Loading of code bundles, and of the style sheets and symbols of games.

import { handler, toPython } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { $B, _b_ } from "../brython/runtime.js"
import { BundleError, reportFailure } from "./bundle_error.js"
import { loadCatalogue } from "./i18n.js"

const loading = {}

// Load the scripts of a bundle, together with the code that games share ("table") unless it is
// "opening", the page for a new match, and their messages. Rejects with a BundleError. A failed load
// can be retried.
function loadBundle(part) {
  const wanted = part === "opening" ? [part] : [...new Set(["table", part])]
  return Promise.all([loadCatalogue("late"), ...wanted.map((each) => loading[each] ||= loadScripts(each))])
}

// Load the local server for offline matches and, if a game is given, its rules, screen and message
// catalogue; then call done(), or failed(gone) on an error.
function loadLocalServer(game, done, failed) {
  const run = handler(done)
  const ran = game === _b_.None ? ["phone"] : ["phone", "rules-" + game]
  const parts = [...ran, "game-" + game].filter((part) => $B.bundles[part])
  Promise.all([...parts.map(loadBundle), game === _b_.None || loadCatalogue(game)])
    .then(() => ran.some((part) => $B.runBundle(part)) && slices.run())
    .then(() => run(), reportFailure(failed))
}

function loadScripts(part) {
  const scripts = $B.bundles[part].map(() => document.createElement("script"))
  return Promise.all(scripts.map((script, i) => new Promise((loaded, lost) => {
    const address = $B.bundles[part][i]
    Object.assign(script, { src: address, onload: loaded, onerror: () => lost(new BundleError(address)) })
    document.head.append(script)
  }))).then(() => slices.run()).catch((problem) => {
    delete loading[part] // so that it can be retried
    scripts.forEach((script) => script.remove())
    throw problem
  })
}

// Load the game-independent code of the match page, then call done(), or failed(gone) on an error.
function loadMatchPage(done, failed) {
  const run = handler(done)
  loadBundle("table").then(() => $B.runBundle("table") && slices.run()).then(() => run(), reportFailure(failed))
}

// Run the code of the active game if it has not run, then call done(); do not call it if another
// game has been activated meanwhile.
function runGame(done) {
  const run = handler(done), mine = activeStyle
  if ($B.runBundle("game-" + mine.name)) {
    slices.run().then(() => activeStyle === mine && run())
  } else {
    run()
  }
}

// Load an optional bundle of a game (such as "guide-GAME") and the code that shows it ("guide"),
// then call done(), or failed(gone) on an error.
function loadLazyBundle(part, done, failed) {
  const run = handler(done)
  Promise.all([loadBundle(part.split("-")[0]), loadBundle(part)]).then(() => run(), reportFailure(failed))
}

function hasModule(game, name) {
  return ($B.screenModules[game] || []).includes(name)
}

// Preload code while the app starts: the page for a new match, or the match page or its review and,
// as soon as boot.js has loaded the match, its game. Errors are ignored: the page loads the code
// again.
$B.preload = function () {
  const path = location.pathname
  const part = path.startsWith("/m/") ? (path.endsWith("/review") ? "review" : "table") : /^\/(new$|join\/)/.test(path) && "opening"
  if (part) {
    loadBundle(part).catch(() => {})
  }
  if (window.expected) {
    window.expected.then(({ game }) => activateStyle(hasModule(game, "screen") ? game : "generic", game).here).catch(() => {})
  }
}

// The active game's assets: code, style sheet and symbols. Only one game's are in the page at a
// time, so that two games may use the same class names and ids.
let activeStyle = { name: null, nodes: [], ready: true }

// Activate a game's assets, then call done() once they are loaded, or failed(gone) on an error.
// Call neither if another game has been activated meanwhile. room: the catalogue's gettext domain.
function loadGameAssets(name, room, done, failed) {
  const mine = activateStyle(name, room)
  if (mine.ready) {
    handler(done)()
  } else {
    const lost = reportFailure((gone) => activeStyle === mine && handler(failed)(gone))
    mine.here.then(() => activeStyle === mine && handler(done)(), lost)
  }
}

// Start loading a game's assets unless they are active already, and remove those of the last game.
// Return the active assets; their promise `here` settles when loading ends.
function activateStyle(name, room) {
  if (activeStyle.name === name && !activeStyle.lost) {
    return activeStyle
  }
  activeStyle.nodes.forEach((node) => node.remove())
  const look = $B.gameStyles[name] || {}
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

// Load a file of symbols. Rejects with a BundleError.
export async function fetchSymbols(address) {
  const answer = await fetch(address)
  if (!answer.ok) {
    throw new BundleError(address, answer.status)
  }
  return new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement
}

async function loadSymbols(mine, address) {
  const found = await fetchSymbols(address)
  if (activeStyle === mine) {
    const symbols = document.importNode(found, true)
    mine.nodes.push(symbols)
    document.body.prepend(symbols)
  }
}

exportToPython({
  load_game_assets: loadGameAssets, load_match_page: loadMatchPage,
  load_local_server: loadLocalServer, run_game: runGame, load_lazy_bundle: loadLazyBundle,
  guides: () => toPython($B.guides), // the titles of the games that have one, by slug
  lessons: () => toPython($B.lessons), // the same
  has_module: hasModule,
})
