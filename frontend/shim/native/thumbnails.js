// Board pictures as SVG text, and sharing of pictures.

import { handler } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { SVG, append } from "./dom.js"
import { shareSheet } from "./page.js"
import { download } from "./storage.js"

// Serialise nodes as an SVG picture, including the symbols they use. box: the viewBox.
function svgText(box, nodes) {
  const picture = document.createElementNS(SVG, "svg")
  picture.setAttribute("viewBox", box)
  append(picture, nodes)
  const seen = new Set()
  for (const use of picture.getElementsByTagName("use")) { // live: grows with nested uses
    const name = use.getAttribute("href").slice(1)
    const symbol = document.getElementById(name)
    if (!seen.has(name) && symbol) {
      seen.add(name)
      picture.append(symbol.cloneNode(true))
    }
  }
  return new XMLSerializer().serializeToString(picture)
}

// Convert SVG text to a data URL, replacing style tokens by their values in the current theme.
function pictureDataUrl(text) {
  const style = getComputedStyle(document.documentElement)
  const coloured = text.replace(/var\((--[\w-]+)\)/g, (_, token) => style.getPropertyValue(token).trim().replace(/"/g, "'"))
  return "data:image/svg+xml," + encodeURIComponent(coloured)
}

// Share a picture by the share sheet, or download it if that is not possible. Then call
// callback("shared"), callback("saved"), callback("failed"), or callback("") if the sheet was
// dismissed or another picture is in progress.
let isSharing = false

function sharePicture(address, name, callback) {
  const call = handler(callback)
  if (isSharing) {
    call("")
    return
  }
  isSharing = true
  const source = address.startsWith("data:") ? rasterize(address) : fetchBlob(address)
  source.finally(() => { isSharing = false })
    .then((blob) => shareOrSave(new File([blob], name, { type: "image/png" })))
    .then(call, () => call("failed"))
}

async function shareOrSave(file) {
  if (navigator.canShare && navigator.canShare({ files: [file] })) {
    try {
      return await shareSheet({ files: [file] })
    } catch (_) { /* user activation has expired: download instead */ }
  }
  download(file.name, file)
  return "saved"
}

async function fetchBlob(address) {
  const answer = await fetch(address)
  if (!answer.ok) {
    throw new Error(address)
  }
  return answer.blob()
}

// Render an image as a PNG blob, 1200 pixels wide, on the page's background colour.
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

exportToPython({
  share_picture: sharePicture, svg_text: svgText, picture_data_url: pictureDataUrl,
  for_each_node: (selector, callable) => document.querySelectorAll(selector).forEach((node) => handler(callable)(node)),
})
