// What the page of all elements shows of the style itself: tokens and signs, as they are.

// The names of the style's tokens, in the order in which they are written.
function tokens() {
  const rules = Array.from(document.styleSheets).flatMap((sheet) => Array.from(sheet.cssRules))
  const root = rules.find((rule) => (rule.selectorText || "").startsWith(":root"))
  return $B.fast_tuple(Array.from(root.style).filter((name) => name.startsWith("--")).map((name) => name.slice(2)))
}

// What a token is where the node stands.
function token(node, name) {
  return getComputedStyle(node).getPropertyValue("--" + name).trim()
}

// The names of the page's own signs.
function ownSigns() {
  return $B.fast_tuple(Array.from(document.querySelectorAll("symbol[id^='i-']"), (symbol) => symbol.id))
}

// Brings the signs of all games, one game at a time: told(game, [(name, box), ...], nodes), with
// names that no two games share; the nodes hold the signs and belong into the page.
function everySign(told, failed) {
  const tell = handler(told)
  const games = Object.keys($B.looks).filter((game) => $B.looks[game].svg)
  Promise.all(games.map((game) => readSigns($B.looks[game].svg)))
    .then((found) => found.forEach((root, at) => tell(games[at], ...renamed(root, games[at] + "-"))), failing(failed))
  return _b_.None
}

async function readSigns(address) {
  const answer = await fetch(address)
  if (!answer.ok) {
    throw new PartLost(address, answer.status)
  }
  return new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement
}

function renamed(root, before) {
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

Object.assign(native, { tokens, token, own_signs: ownSigns, every_sign: everySign })
