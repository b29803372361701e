// Keeps the app's own files at hand. What the service says is never kept.
const VERSION = "{{version}}"
const CACHE = "app-" + VERSION
const ASSETS = {{assets}}
const HOME = "/" // has the home page in it, which any other page would show until the app is there
const SHELL = "/new"

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(CACHE)
      .then((cache) => cache.addAll([HOME, SHELL, ...ASSETS]))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(superfluous(names).map((name) => caches.delete(name))))
      .then(() => self.clients.claim())
      .then(tellPages),
  )
})

// What no page needs any more. A page that is open goes on with the version it began with, whose
// parts come from the cache before this one: never a mixture.
function superfluous(names) {
  return names.filter((name) => name !== CACHE && name.startsWith("app-")).slice(0, -1)
}

// An older page offers to begin anew.
async function tellPages() {
  for (const page of await self.clients.matchAll()) {
    page.postMessage({ version: VERSION })
  }
}

function shell(url) {
  return caches.match(url.pathname === HOME ? HOME : SHELL, { cacheName: CACHE })
}

function keep(answer) {
  if (answer.ok) {
    const copy = answer.clone()
    caches.open(CACHE).then((cache) => cache.put(copy.url, copy))
  }
  return answer
}

// A file that another app has shared: kept until the home page, which is shown next, has read it.
async function shared(request) {
  const file = (await request.formData()).get("file")
  if (file) {
    const cache = await caches.open("shared")
    await cache.put("/shared-file", new Response(file))
  }
  return Response.redirect("/?shared", 303)
}

self.addEventListener("fetch", (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method === "POST" && url.pathname === "/open-file") {
    event.respondWith(shared(request))
    return
  }
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
      (answer) => [502, 503, 504].includes(answer.status) ? shell(url).then((kept) => kept || answer) : answer,
      () => shell(url),
    ))
  }
})
