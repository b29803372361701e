// Small pictures of boards that the page has drawn itself, as text to be kept.

// A picture of a box with these nodes in it, and with the symbols that they use.
function portrait(box, nodes) {
  const picture = document.createElementNS(SVG, "svg")
  picture.setAttribute("viewBox", box)
  append(picture, nodes)
  const seen = new Set()
  for (const use of picture.getElementsByTagName("use")) { // grows with what symbols use
    const name = use.getAttribute("href").slice(1)
    const symbol = document.getElementById(name)
    if (!seen.has(name) && symbol) {
      seen.add(name)
      picture.append(symbol.cloneNode(true))
    }
  }
  return new XMLSerializer().serializeToString(picture)
}

// Such a picture as an address, in the colours that the page wears now.
function keptPicture(text) {
  const worn = getComputedStyle(document.documentElement)
  const coloured = text.replace(/var\((--[\w-]+)\)/g, (_, token) => worn.getPropertyValue(token).trim().replace(/"/g, "'"))
  return "data:image/svg+xml," + encodeURIComponent(coloured)
}

function eachOf(selector, callable) {
  document.querySelectorAll(selector).forEach((node) => handler(callable)(node))
  return _b_.None
}

Object.assign(native, { portrait, kept_picture: keptPicture, each_of: eachOf })
