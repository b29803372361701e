// Keeps the app's own files at hand. What the service says of tables and people is never kept.
const VERSION = "{{version}}"
const CACHE = "app-" + VERSION
const ASSETS = {{assets}}
const HOME = "/" // has the home page in it, which any other page would show until the app is there
const SHELL = "/new"
const HASHED = /^\/(assets|words)\// // what has its content's hash in its address
const BOARDS = /^\/api\/games\/[a-z]+\/board\.svg$/ // pictures of games: they change with the app only

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

// A picture of this version; without a network one of the version before is better than none.
async function picture(request) {
  const kept = await caches.match(request, { cacheName: CACHE })
  return kept || fetch(request).then(keep).catch(async () => await caches.match(request) || Response.error())
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
  if (HASHED.test(url.pathname)) {
    event.respondWith(caches.match(request).then((kept) => kept || fetch(request)))
  } else if (BOARDS.test(url.pathname)) {
    event.respondWith(picture(request))
  } else if (request.mode === "navigate") {
    event.respondWith(fetch(request).then(
      // A proxy whose service is away says so with a page of its own.
      (answer) => [502, 503, 504].includes(answer.status) ? shell(url).then((kept) => kept || answer) : answer,
      () => shell(url),
    ))
  }
})

// --- notices ------------------------------------------------------------------------------------

const APPLE = /(^|\.)push\.apple\.com$/
const ANSWER_TIMEOUT_MS = 1000

self.addEventListener("push", (event) => {
  event.waitUntil(pushed(messageOf(event.data)))
})

// An empty message when there is none, or none that can be read.
function messageOf(data) {
  try {
    return data.json() || {}
  } catch (_) {
    return {}
  }
}

// Show a notification, or close one whose turn is played. Nothing is shown to a person who uses the
// page of that table. Apple ends a subscription after three pushes that show nothing: there, a silent
// notification takes the place of none.
async function pushed(what) {
  const isNews = !what.gone && !await isInUse(what)
  if (what.gone) {
    await withdraw(what.gone).catch(() => {})
    await (what.waiting ? null : withdraw("tables").catch(() => {}))
  }
  if (isNews || await isApple()) {
    const tag = what.tag || what.gone || "caravanserai"
    await self.registration.showNotification(what.title || "Caravanserai", {
      body: what.body, tag, lang: what.lang, renotify: isNews, silent: !isNews, data: { url: what.url || "/" },
      icon: "{{icon-192.png}}", badge: "{{icon-mono.svg}}",
    })
  }
  if (self.navigator.setAppBadge && what.waiting !== undefined) {
    await (what.waiting ? navigator.setAppBadge(what.waiting) : navigator.clearAppBadge()).catch(() => {})
  }
}

// Whether this device's subscription is at Apple's push service. A browser that does not say is judged
// by its name.
async function isApple() {
  const known = await self.registration.pushManager.getSubscription().catch(() => null)
  return known ? APPLE.test(new URL(known.endpoint).hostname)
    : /Safari/.test(navigator.userAgent) && !/Chrom/.test(navigator.userAgent)
}

// Whether a visible page shows the table of a message, and its person touched it a moment ago.
async function isInUse(what) {
  if (what.tag === "test") {
    return false
  }
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true })
  const showing = pages.filter((page) => page.visibilityState === "visible" && pathOf(page) === what.url)
  return (await Promise.all(showing.map(isAttended))).some(Boolean)
}

// Ask a page whether there was input lately (shim/native/attention.js); no answer is a no.
function isAttended(page) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data)
    setTimeout(resolve, ANSWER_TIMEOUT_MS, false)
    page.postMessage({ ask: "attention" }, [port2])
  })
}

async function withdraw(tag) {
  for (const shown of await self.registration.getNotifications({ tag })) {
    shown.close()
  }
}

function pathOf(page) {
  return new URL(page.url).pathname
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close()
  event.waitUntil(show(event.notification.data.url))
})

// The page that shows it already, another one of the app, or a new one.
async function show(url) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true })
  const there = pages.find((page) => pathOf(page) === url)
  if (there) {
    return there.focus()
  }
  for (const page of pages) {
    try {
      const gone = await page.navigate(url)
      return await (gone || page).focus()
    } catch (_) { /* not a page of this worker */ }
  }
  return self.clients.openWindow(url)
}

// A push service gives a device a new address now and then.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event.oldSubscription))
})

async function renew(old) {
  const options = old ? old.options : await (await fetch("/api/notices")).json()
    .then(({ offers }) => ({ userVisibleOnly: true, applicationServerKey: offers.push }))
  const fresh = (await self.registration.pushManager.subscribe(options)).toJSON()
  await fetch("/api/notices/push", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ endpoint: fresh.endpoint, keys: fresh.keys }),
  })
}
