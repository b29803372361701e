// What the page of all elements shows of the style itself: tokens and signs, as they are.

// The names of the style's tokens, in the order in which they are written.
function tokenNames() {
  const rules = Array.from(document.styleSheets).flatMap((sheet) => Array.from(sheet.cssRules))
  const root = rules.find((rule) => (rule.selectorText || "").startsWith(":root"))
  return $B.fast_tuple(Array.from(root.style).filter((name) => name.startsWith("--")).map((name) => name.slice(2)))
}

// What a token is where the node stands.
function tokenValue(node, name) {
  return getComputedStyle(node).getPropertyValue("--" + name).trim()
}

// The names of the page's own signs.
function iconSymbolNames() {
  return $B.fast_tuple(Array.from(document.querySelectorAll("symbol[id^='i-']"), (symbol) => symbol.id))
}

// Brings the signs of all games, one game at a time: told(game, [(name, box), ...], nodes), with
// names that no two games share; the nodes hold the signs and belong into the page.
function loadGameSymbols(told, failed) {
  const tell = handler(told)
  const games = Object.keys($B.looks).filter((game) => $B.looks[game].svg)
  Promise.all(games.map((game) => fetchSymbols($B.looks[game].svg)))
    .then((found) => found.forEach((root, at) => tell(games[at], ...prefixIds(root, games[at] + "-"))), reportFailure(failed))
  return _b_.None
}

async function fetchSymbols(address) {
  const answer = await fetch(address)
  if (!answer.ok) {
    throw new BundleError(address, answer.status)
  }
  return new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement
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

Object.assign(native, {
  token_names: tokenNames, token_value: tokenValue, icon_symbol_names: iconSymbolNames,
  load_game_symbols: loadGameSymbols,
})
