// DOM nodes, listeners and timers.

import { handler, plain } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { _b_ } from "../brython/runtime.js"
import { guardClicks } from "./click_guard.js"

export const SVG = "http://www.w3.org/2000/svg"

function setAttributes(node, attributes) {
  // Brython stores a dict with only string keys as own properties.
  for (const name of Object.keys(attributes)) {
    const value = plain(attributes[name])
    if (name.startsWith("on")) {
      if (value !== null && value !== _b_.None) {
        guardClicks(node, name.slice(2))
        node.addEventListener(name.slice(2), handler(value))
      }
    } else if (value === true) {
      node.setAttribute(name, "")
    } else if (value === false || value === null || value === _b_.None) {
      node.removeAttribute(name)
    } else if (name === "value") {
      node.value = String(value)
    } else {
      node.setAttribute(name, String(value))
    }
  }
}

// Add to `nodes` what children become, also from nested arrays, skipping null, None and false.
// Strings and numbers become text nodes, never markup.
function collect(children, nodes) {
  for (const child of children) {
    if (child === null || child === _b_.None || child === false) {
      continue
    }
    if (Array.isArray(child)) {
      collect(child, nodes)
    } else if (child instanceof Node) {
      nodes.push(child)
    } else if (typeof plain(child) === "object") {
      throw new TypeError("a child is a node, a text, a number or a list of them")
    } else {
      nodes.push(document.createTextNode(String(plain(child))))
    }
  }
  return nodes
}

export function append(node, children) {
  for (const child of collect(children, [])) {
    node.appendChild(child)
  }
}

function withChildren(node, attributes, children) {
  if (attributes !== undefined && attributes !== _b_.None) {
    setAttributes(node, attributes)
  }
  if (children !== undefined) {
    append(node, children)
  }
  return node
}

// Replace the children of a node. Children that stay are not taken out: they keep the focus and a
// press that has begun.
function fill(node, ...children) {
  const wanted = collect(children, [])
  const staying = new Set(wanted)
  for (const child of Array.from(node.childNodes)) {
    if (!staying.has(child)) {
      child.remove()
    }
  }
  let next = node.firstChild
  for (const child of wanted) {
    if (child === next) {
      next = next.nextSibling
    } else {
      node.insertBefore(child, next)
    }
  }
  return node
}

const listeners = []

// Add an event listener and return a handle for removeListener. target: a node, "window" or
// "document".
function addListener(target, name, callable) {
  const real = target === "window" ? window : target === "document" ? document : target
  const abort = new AbortController()
  guardClicks(real, name)
  real.addEventListener(name, handler(callable), { passive: false, signal: abort.signal })
  return listeners.push(abort) - 1
}

exportToPython({
  el: (tag, attributes, ...children) => withChildren(document.createElement(tag), attributes, children),
  svg: (tag, attributes, ...children) => withChildren(document.createElementNS(SVG, tag), attributes, children),
  fill, patch: setAttributes, add_listener: addListener,
  remove_listener: (number) => listeners[number].abort(),
  after: (milliseconds, callable) => setTimeout(handler(callable), plain(milliseconds)),
  cancel: (timer) => clearTimeout(timer === _b_.None ? 0 : timer),
  frame: (callable) => requestAnimationFrame((time) => handler(callable)(Math.round(time))),
})
