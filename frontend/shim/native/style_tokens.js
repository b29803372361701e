// The page's style tokens and icon symbols, and those of games, for the style guide (/style).

import { handler } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { $B } from "../brython/runtime.js"
import { reportFailure } from "./bundle_error.js"
import { fetchSymbols } from "./loader.js"

// Return the names of the style tokens in source order, without "--".
function tokenNames() {
  const rules = Array.from(document.styleSheets).flatMap((sheet) => Array.from(sheet.cssRules))
  const root = rules.find((rule) => (rule.selectorText || "").startsWith(":root"))
  return $B.fast_tuple(Array.from(root.style).filter((name) => name.startsWith("--")).map((name) => name.slice(2)))
}

// Return the ids of the app's icon symbols, which start with "i-".
function iconSymbolNames() {
  return $B.fast_tuple(Array.from(document.querySelectorAll("symbol[id^='i-']"), (symbol) => symbol.id))
}

// Load the symbols of all games, then call callback(game, ((id, viewBox), ...), node) for each
// game, or failed(gone) on an error. The ids are prefixed with the game's slug. The node contains
// the symbols and has to be added to the page.
function loadGameSymbols(callback, failed) {
  const call = handler(callback)
  const games = Object.keys($B.gameStyles).filter((game) => $B.gameStyles[game].svg)
  Promise.all(games.map((game) => fetchSymbols($B.gameStyles[game].svg)))
    .then((found) => found.forEach((root, at) => call(games[at], ...prefixIds(root, games[at] + "-"))), reportFailure(failed))
}

function prefixIds(root, before) {
  root.querySelectorAll("use[href^='#']").forEach((use) => {
    const name = use.getAttribute("href").slice(1)
    if (root.querySelector("#" + CSS.escape(name))) {
      use.setAttribute("href", "#" + before + name)
    }
  })
  root.querySelectorAll("[id]").forEach((node) => node.setAttribute("id", before + node.id))
  const signs = Array.from(root.querySelectorAll("symbol"), (symbol) => $B.fast_tuple([symbol.id, symbol.getAttribute("viewBox")]))
  return [$B.fast_tuple(signs), document.importNode(root, true)]
}

exportToPython({
  token_names: tokenNames, icon_symbol_names: iconSymbolNames, load_game_symbols: loadGameSymbols,
  token_value: (node, name) => getComputedStyle(node).getPropertyValue("--" + name).trim(), // as computed for a node
})
