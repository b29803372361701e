// HTTP requests.

import { handler, loads, loadsOrNone } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { _b_ } from "../brython/runtime.js"
import { recordServerTime } from "./dates.js"

// Send a request, then call answered(status, data). status: 0 on a network error or timeout. data:
// the parsed JSON, None if the response is not JSON. key: the Idempotency-Key, or None.
function request(method, path, body, key, answered) {
  const headers = { Accept: "application/json", "Accept-Language": document.documentElement.lang }
  if (body !== _b_.None && body !== null) {
    headers["Content-Type"] = "application/json"
  }
  if (key !== _b_.None && key !== null) {
    headers["Idempotency-Key"] = key
  }
  const done = handler(answered)
  fetchAnswer(method, path, headers, body).then(([status, text, skewMs]) => {
    recordServerTime(skewMs)
    let data = _b_.None
    try {
      data = loads(text)
    } catch (_) { /* not JSON, such as a proxy's error page */ }
    done(status, data)
  }).catch(() => done(0, _b_.None))
}

// Resolve to [status, text, skewMs], using the early response of static/boot.js if there is one.
// skewMs: by how many milliseconds the service's clock is ahead of the device's.
function fetchAnswer(method, path, headers, body) {
  const early = method === "GET" && window.early && window.early[path]
  if (early) {
    delete window.early[path]
    return early
  }
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), 12000)
  const answer = fetch(path, {
    method, headers, body: headers["Content-Type"] ? body : undefined, signal: abort.signal,
    cache: "no-store", credentials: "same-origin",
  }).then(async (response) => {
    const skewMs = Date.parse(response.headers.get("Date")) - Date.now()
    return [response.status, await response.text(), skewMs]
  })
  return answer.finally(() => clearTimeout(timer))
}

// Request a picture, then call callback(object URL, status, None), or on failure
// callback(None, status, data), with status 0 on a network error. data: the parsed JSON or None.
function fetchPicture(path, body, callback) {
  const done = handler(callback)
  const headers = {
    "Content-Type": "application/json", Accept: "image/png, application/json",
    "Accept-Language": document.documentElement.lang,
  }
  fetch(path, { method: "POST", headers, body, cache: "no-store" }).then(async (response) => {
    if (response.ok) {
      done(URL.createObjectURL(await response.blob()), response.status, _b_.None)
    } else {
      done(_b_.None, response.status, loadsOrNone(await response.text()))
    }
  }).catch(() => done(_b_.None, 0, _b_.None))
}

exportToPython({ request, fetch_picture: fetchPicture })
