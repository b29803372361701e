// The service worker: it caches the app's own files and shows notifications. Of the API, it caches
// only the pictures of games.
const VERSION = "{{version}}"
const CACHE = "app-" + VERSION
const ASSETS = {{assets}}
const HOME = "/" // contains the rendered home page, so it cannot be the shell of other pages
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

// Return the names of outdated caches. The previous version's is kept, so that open pages continue
// with the version they started with, instead of a mix of two.
function staleCaches(names) {
  return names.filter((name) => name !== CACHE && name.startsWith("app-")).slice(0, -1)
}

// Send the version to all pages; those of another version offer to reload.
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

// Return a picture from this version's cache or the network; if both fail, from any cache, even
// that of the previous version.
async function fetchPicture(request) {
  const kept = await caches.match(request, { cacheName: CACHE })
  return kept || fetch(request).then(cacheResponse).catch(async () => await caches.match(request) || Response.error())
}

// Store a file shared by another app and redirect to the home page, which reads it.
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
      // While the service is down, a proxy responds with an error page of its own.
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

// Parse the message of a push event; return an empty one if it is missing or invalid.
function messageOf(data) {
  try {
    return data.json() || {}
  } catch (_) {
    return {}
  }
}

// Show a notification, or close that of a turn that has been played, and update the app badge.
// Nothing is shown while the user is active on the page of that match. Apple ends a subscription
// after three pushes that show nothing, so on Apple a silent notification is shown instead.
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

// Return whether this device's subscription is with Apple's push service. If the subscription is
// not available, judge by the user agent.
async function isApple() {
  const known = await self.registration.pushManager.getSubscription().catch(() => null)
  return known ? APPLE.test(new URL(known.endpoint).hostname)
    : /Safari/.test(navigator.userAgent) && !/Chrom/.test(navigator.userAgent)
}

// Return whether a visible page shows the match of a message and had input recently; never true for
// a test notification.
async function isInUse(message) {
  if (message.tag === "test") {
    return false
  }
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true })
  const showing = pages.filter((page) => page.visibilityState === "visible" && pathOf(page) === message.url)
  return (await Promise.all(showing.map(isAttended))).some(Boolean)
}

// Ask a page whether it is visible and had input recently (shim/native/attention.js). Resolves to
// false if it does not answer in time.
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

// Focus the page that shows the address; otherwise navigate another page of the app to it;
// otherwise open a new one.
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
    } catch (_) { /* not controlled by this worker: try the next page */ }
  }
  return self.clients.openWindow(url)
}

// Push services replace a device's subscription from time to time; send the new one to the service.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renewSubscription(event.oldSubscription))
})

const RENEWAL_DELAYS_MS = [0, 1000, 5000] // before each attempt

async function renewSubscription(old) {
  const options = old ? old.options : await (await fetch("/api/notices")).json()
    .then(({ offers }) => ({ userVisibleOnly: true, applicationServerKey: offers.push }))
  const fresh = (await self.registration.pushManager.subscribe(options)).toJSON()
  let status = 0
  for (const delay of RENEWAL_DELAYS_MS) {
    await new Promise((resolve) => setTimeout(resolve, delay))
    const answer = await fetch("/api/notices/push", {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ endpoint: fresh.endpoint, keys: fresh.keys }),
    }).catch(() => ({ ok: false, status: 0 }))
    status = answer.status
    if (answer.ok) {
      return
    }
    if (![0, 429, 502, 503, 504].includes(status)) {
      break
    }
  }
  throw new Error("The service did not accept the new push subscription: " + status)
}
