// Keeps the app's own files at hand. What the service says is never kept.
const VERSION = "{{version}}"
const CACHE = "app-" + VERSION
const ASSETS = {{assets}}
const SHELL = "/"

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(CACHE)
      .then((cache) => cache.addAll([SHELL, ...ASSETS]))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

function shell() {
  return caches.match(SHELL, { cacheName: CACHE })
}

function keep(answer) {
  if (answer.ok) {
    const copy = answer.clone()
    caches.open(CACHE).then((cache) => cache.put(copy.url, copy))
  }
  return answer
}

self.addEventListener("fetch", (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== "GET" || url.origin !== location.origin) {
    return
  }
  if (url.pathname.startsWith("/assets/")) {
    event.respondWith(caches.match(request).then((kept) => kept || fetch(request)))
  } else if (url.pathname.startsWith("/words/")) {
    event.respondWith(fetch(request).then(keep, () => caches.match(request).then((kept) => kept || Response.error())))
  } else if (request.mode === "navigate") {
    event.respondWith(fetch(request).then(
      // A proxy whose service is away says so with a page of its own.
      (answer) => [502, 503, 504].includes(answer.status) ? shell().then((kept) => kept || answer) : answer,
      shell,
    ))
  }
})
