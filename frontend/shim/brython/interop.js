// Conversion between Python and JavaScript: JSON, numbers, callables.

import { exportToPython } from "./python_module.js"
import { $B, _b_ } from "./runtime.js"

export function fail(text) {
  $B.RAISE(_b_.TypeError, text)
}

export function plain(value) {
  return value !== null && typeof value === "object" && value.ob_type === _b_.float
    ? value.value : value
}

export function report(error) {
  const name = error && error.ob_type ? error.ob_type.tp_name : ""
  const args = error && error.args ? Array.from(error.args, String).join(" ") : ""
  console.error(`${name} ${args} ${error && error.stack ? error.stack : error}`)
}

// Wrap a Python callable as a JavaScript function that logs exceptions instead of throwing them.
export function handler(callable) {
  return (...args) => {
    try {
      return $B.$call(callable, ...args)
    } catch (error) {
      report(error)
    }
  }
}

// JSON: arrays become tuples, objects become dicts.

export function toPython(value) {
  switch (typeof value) {
    case "string":
      return value
    case "number":
      return Number.isInteger(value) ? value : _b_.float.$factory(value)
    case "boolean":
      return value
  }
  if (value === null) {
    return _b_.None
  }
  if (Array.isArray(value)) {
    const items = new Array(value.length)
    for (let i = 0; i < value.length; i++) {
      items[i] = toPython(value[i])
    }
    return $B.fast_tuple(items)
  }
  const dict = $B.empty_dict()
  for (const key in value) {
    $B.str_dict_set(dict, key, toPython(value[key]))
  }
  return dict
}

export function toJson(value) {
  if (value === null || value === _b_.None) {
    return null
  }
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return value
  }
  if (Array.isArray(value)) {
    return Array.from(value, toJson)
  }
  const result = {}
  const names = value.ob_type && value.ob_type.$names
  if (names !== undefined) {
    if (typeof value.ob_type.$tag === "string") {
      result.type = value.ob_type.$tag
    }
    for (const name of names) {
      const field = value[name]
      if (!isUnset(field)) {
        result[name] = toJson(field)
      }
    }
    return result
  }
  const cls = $B.get_class(value)
  if (cls === _b_.dict) {
    for (const entry of _b_.dict.$iter_items(value)) {
      result[String(entry.key)] = toJson(entry.value)
    }
    return result
  }
  if (cls === _b_.float) {
    return value.value
  }
  if (cls === _b_.str) {
    return String(value)
  }
  return fail(`no JSON for ${$B.class_name(value)}`)
}

// Return whether a value is msgspec's UNSET; fields with this value are omitted.
function isUnset(value) {
  return value !== null && typeof value === "object" && value.ob_type !== undefined
    && value.ob_type.tp_name === "UnsetType"
}

// Convert a struct to dicts and tuples, as if its JSON were decoded.
function toBuiltins(value) {
  return toPython(toJson(value))
}

// Canonical JSON for hashing: sorted keys, no white space.
function canonical(value) {
  return sortedJson(toJson(value))
}

function sortedJson(value) {
  if (value === null || typeof value !== "object") {
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) {
    return `[${value.map(sortedJson)}]`
  }
  return `{${Object.keys(value).sort($B.$AlphabeticalCompare).map((name) => `${JSON.stringify(name)}:${sortedJson(value[name])}`)}}`
}

export function loads(text) {
  return toPython(JSON.parse(text))
}

// Parse JSON; return None if it is invalid.
export function loadsOrNone(text) {
  try {
    return loads(String(text))
  } catch (_) {
    return _b_.None
  }
}

function byteCount(text) {
  return new TextEncoder().encode(text).length
}

// Encode a string for a URL fragment (base64url of UTF-8), and decode it; decoding returns "" for
// invalid input.
function encodeFragment(text) {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text))
  return btoa(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")
}

function decodeFragment(packed) {
  try {
    const bytes = atob(packed.replace(/-/g, "+").replace(/_/g, "/"))
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  } catch (_) {
    return ""
  }
}

function dumps(value) {
  return JSON.stringify(toJson(value))
}

exportToPython({
  loads, dumps, loads_or_none: loadsOrNone, canonical, to_builtins: toBuiltins,
  byte_count: byteCount, encode_fragment: encodeFragment, decode_fragment: decodeFragment,
})
