// Small pictures of boards that the page has drawn itself, as text to be kept.

// A picture of a box with these nodes in it, and with the symbols that they use.
function svgText(box, nodes) {
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
function pictureDataUrl(text) {
  const worn = getComputedStyle(document.documentElement)
  const coloured = text.replace(/var\((--[\w-]+)\)/g, (_, token) => worn.getPropertyValue(token).trim().replace(/"/g, "'"))
  return "data:image/svg+xml," + encodeURIComponent(coloured)
}

function forEachNode(selector, callable) {
  document.querySelectorAll(selector).forEach((node) => handler(callable)(node))
  return _b_.None
}

// Hands a picture to the phone's share sheet, or puts it among the downloads: told("shared"),
// told("saved"), told("") when the sheet was put away or the picture is still being made,
// told("failed").
let isSharing = false

function sharePicture(address, name, told) {
  const tell = handler(told)
  if (isSharing) {
    tell("")
    return _b_.None
  }
  isSharing = true
  const source = address.startsWith("data:") ? rasterize(address) : fetchBlob(address)
  source.finally(() => { isSharing = false })
    .then((blob) => shareOrSave(new File([blob], name, { type: "image/png" })))
    .then(tell, () => tell("failed"))
  return _b_.None
}

async function shareOrSave(file) {
  if (navigator.canShare && navigator.canShare({ files: [file] })) {
    try {
      return await shareSheet({ files: [file] })
    } catch (_) { /* the tap is too long ago: it is saved instead */ }
  }
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60000)
  return "saved"
}

async function fetchBlob(address) {
  const answer = await fetch(address)
  if (!answer.ok) {
    throw new Error(address)
  }
  return answer.blob()
}

// A drawing as a PNG of 1200 pixels in width, on the ground of the page.
async function rasterize(address) {
  const image = new Image()
  image.src = address
  await image.decode()
  const canvas = document.createElement("canvas")
  canvas.width = 1200
  canvas.height = Math.round(1200 * image.naturalHeight / image.naturalWidth)
  const pen = canvas.getContext("2d")
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--ground")
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((done) => canvas.toBlob(done, "image/png"))
}

Object.assign(native, {
  share_picture: sharePicture, svg_text: svgText, picture_data_url: pictureDataUrl,
  for_each_node: forEachNode,
})
