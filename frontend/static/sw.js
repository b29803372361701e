// The service worker: caches the app's own files and shows notifications. API responses are never
// cached.
const VERSION = "{{version}}"
const CACHE = "app-" + VERSION
const ASSETS = {{assets}}
const HOME = "/" // contains the prerendered home page, so it cannot serve as the shell of other pages
const SHELL = "/new"
const HASHED = /^\/(assets|words)\// // addresses with a content hash
const BOARDS = /^\/api\/games\/[a-z]+\/board\.svg$/ // pictures of games; they change only with the app

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
      .then((names) => Promise.all(staleCaches(names).map((name) => caches.delete(name))))
      .then(() => self.clients.claim())
      .then(announceVersion),
  )
})

// Return the caches no page needs. The previous one is kept: open pages continue with the version
// they started with, never a mix of two.
function staleCaches(names) {
  return names.filter((name) => name !== CACHE && name.startsWith("app-")).slice(0, -1)
}

// Tell pages the version; older ones offer to reload.
async function announceVersion() {
  for (const page of await self.clients.matchAll()) {
    page.postMessage({ version: VERSION })
  }
}

function shell(url) {
  return caches.match(url.pathname === HOME ? HOME : SHELL, { cacheName: CACHE })
}

function cacheResponse(answer) {
  if (answer.ok) {
    const copy = answer.clone()
    caches.open(CACHE).then((cache) => cache.put(copy.url, copy))
  }
  return answer
}

// A picture of this version; offline, one of the previous version is better than none.
async function fetchPicture(request) {
  const kept = await caches.match(request, { cacheName: CACHE })
  return kept || fetch(request).then(cacheResponse).catch(async () => await caches.match(request) || Response.error())
}

// Store a file shared by another app until the home page, which is shown next, has read it.
async function storeSharedFile(request) {
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
    event.respondWith(storeSharedFile(request))
    return
  }
  if (request.method !== "GET" || url.origin !== location.origin) {
    return
  }
  if (HASHED.test(url.pathname)) {
    event.respondWith(caches.match(request).then((kept) => kept || fetch(request)))
  } else if (BOARDS.test(url.pathname)) {
    event.respondWith(fetchPicture(request))
  } else if (request.mode === "navigate") {
    event.respondWith(fetch(request).then(
      // A proxy answers with its own error page while the service is down.
      (answer) => [502, 503, 504].includes(answer.status) ? shell(url).then((kept) => kept || answer) : answer,
      () => shell(url),
    ))
  }
})

// --- notifications ------------------------------------------------------------------------------

const APPLE = /(^|\.)push\.apple\.com$/
const ANSWER_TIMEOUT_MS = 1000

self.addEventListener("push", (event) => {
  event.waitUntil(handlePush(messageOf(event.data)))
})

// Parse the message; an empty one if it is missing or invalid.
function messageOf(data) {
  try {
    return data.json() || {}
  } catch (_) {
    return {}
  }
}

// Show a notification, or close one whose turn has been played. Nothing is shown while the user is
// active on the page of that match. Apple ends a subscription after three pushes that show nothing,
// so there a silent notification is shown instead.
async function handlePush(message) {
  const isNews = !message.gone && !await isInUse(message)
  if (message.gone) {
    await closeNotifications(message.gone).catch(() => {})
    await (message.waiting ? null : closeNotifications("tables").catch(() => {}))
  }
  if (isNews || await isApple()) {
    const tag = message.tag || message.gone || "caravanserai"
    await self.registration.showNotification(message.title || "Caravanserai", {
      body: message.body, tag, lang: message.lang, renotify: isNews, silent: !isNews, data: { url: message.url || "/" },
      icon: "{{icon-192.png}}", badge: "{{icon-mono.svg}}",
    })
  }
  if (self.navigator.setAppBadge && message.waiting !== undefined) {
    await (message.waiting ? navigator.setAppBadge(message.waiting) : navigator.clearAppBadge()).catch(() => {})
  }
}

// Whether this device's subscription is with Apple's push service. If the browser does not expose it,
// the user agent decides.
async function isApple() {
  const known = await self.registration.pushManager.getSubscription().catch(() => null)
  return known ? APPLE.test(new URL(known.endpoint).hostname)
    : /Safari/.test(navigator.userAgent) && !/Chrom/.test(navigator.userAgent)
}

// Whether a visible page shows the match of a message and had input recently.
async function isInUse(message) {
  if (message.tag === "test") {
    return false
  }
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true })
  const showing = pages.filter((page) => page.visibilityState === "visible" && pathOf(page) === message.url)
  return (await Promise.all(showing.map(isAttended))).some(Boolean)
}

// Ask a page whether there was input recently (shim/native/attention.js); no answer counts as no.
function isAttended(page) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data)
    setTimeout(resolve, ANSWER_TIMEOUT_MS, false)
    page.postMessage({ ask: "attention" }, [port2])
  })
}

async function closeNotifications(tag) {
  for (const shown of await self.registration.getNotifications({ tag })) {
    shown.close()
  }
}

function pathOf(page) {
  return new URL(page.url).pathname
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data.url))
})

// Focus the page that shows the address, else navigate another page of the app, else open a new one.
async function openPage(url) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true })
  const there = pages.find((page) => pathOf(page) === url)
  if (there) {
    return there.focus()
  }
  for (const page of pages) {
    try {
      const navigated = await page.navigate(url)
      return await (navigated || page).focus()
    } catch (_) { /* not a page of this worker */ }
  }
  return self.clients.openWindow(url)
}

// Push services replace a device's subscription from time to time.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renewSubscription(event.oldSubscription))
})

async function renewSubscription(old) {
  const options = old ? old.options : await (await fetch("/api/notices")).json()
    .then(({ offers }) => ({ userVisibleOnly: true, applicationServerKey: offers.push }))
  const fresh = (await self.registration.pushManager.subscribe(options)).toJSON()
  await fetch("/api/notices/push", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ endpoint: fresh.endpoint, keys: fresh.keys }),
  })
}
