// Subscriptions to web push notifications; static/sw.js shows these, even while no page is open.

import { handler } from "../brython/interop.js"
import { exportToPython } from "../brython/python_module.js"
import { _b_ } from "../brython/runtime.js"
import { inputListeners, isAttended } from "./attention.js"

// Return the state of push notifications. "none": not supported by the browser, or plain http;
// "install": supported only in the installed app; "denied": blocked by the user; "can": permission
// not requested yet; "granted": permission given.
function pushState() {
  if (!window.isSecureContext || !navigator.serviceWorker) {
    return "none"
  }
  if (!window.PushManager || !window.Notification) {
    return navigator.standalone === false ? "install" : "none"
  }
  return { denied: "denied", granted: "granted" }[Notification.permission] || "can"
}

// Return whether a service worker controls this page.
function isPushReady() {
  return !!(navigator.serviceWorker && navigator.serviceWorker.controller)
}

// Ask for permission, then subscribe. Call callback(subscription as JSON text), or callback(None)
// on failure. Permission comes first: some browsers allow the prompt only right after a tap.
function subscribePush(callback) {
  const done = handler(callback)
  requestSubscription().then((found) => done(JSON.stringify(found)), () => done(_b_.None))
}

async function requestSubscription() {
  if (await Notification.requestPermission() !== "granted") {
    throw new Error("denied")
  }
  const worker = await navigator.serviceWorker.ready
  const { offers } = await (await fetch("/api/notices", { cache: "no-store" })).json()
  const options = { userVisibleOnly: true, applicationServerKey: offers.push }
  return worker.pushManager.subscribe(options).catch(async () => {
    // An existing subscription has another key, such as that of a service that lost its data.
    const old = await worker.pushManager.getSubscription()
    await (old && old.unsubscribe())
    return worker.pushManager.subscribe(options)
  })
}

async function findSubscription() {
  return (await navigator.serviceWorker.ready).pushManager.getSubscription()
}

// Call callback(subscribed) with whether the browser has a push subscription for this app. The
// service may not know this subscription.
function checkPushSubscription(callback) {
  const done = handler(callback)
  findSubscription().then((known) => done(!!known), () => done(false))
}

// Cancel this device's push subscription.
function unsubscribePush() {
  if (isPushReady()) {
    findSubscription().then((known) => known && known.unsubscribe()).catch(() => {})
  }
}

let shownTag = ""

// Close the notifications whose tag starts with `tag`, that of the match being viewed. If the user
// is not active, do so at the next input.
function closeNotifications(tag) {
  shownTag = isAttended() ? "" : tag
  if (isPushReady() && !document.hidden && !shownTag) {
    navigator.serviceWorker.ready
      .then(async (worker) => {
        const known = worker.getNotifications ? await worker.getNotifications() : []
        known.filter((each) => each.tag.startsWith(tag)).forEach((each) => each.close())
      })
      .catch(() => {})
  }
}

inputListeners.add(() => shownTag && location.pathname.endsWith(shownTag) && closeNotifications(shownTag))

exportToPython({
  push_state: pushState, is_push_ready: isPushReady, check_push_subscription: checkPushSubscription,
  subscribe_push: subscribePush, unsubscribe_push: unsubscribePush,
  close_notifications: closeNotifications,
})
