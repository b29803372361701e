// Web push notifications; static/sw.js shows them, also while no page is open.

// "none": not supported by the browser, or plain http; "install": only in the installed app;
// "denied": blocked by the user; "can": not asked yet; "granted".
function pushState() {
  if (!window.isSecureContext || !navigator.serviceWorker) {
    return "none"
  }
  if (!window.PushManager || !window.Notification) {
    return navigator.standalone === false ? "install" : "none"
  }
  return { denied: "denied", granted: "granted" }[Notification.permission] || "can"
}

// Whether a service worker controls this page.
function isPushReady() {
  return !!(navigator.serviceWorker && navigator.serviceWorker.controller)
}

// Ask for permission, then subscribe; callback(subscription as JSON), callback(None) on failure.
// Permission comes first: some browsers allow the prompt only right after a tap.
function subscribePush(callback) {
  const done = handler(callback)
  requestSubscription().then((found) => done(JSON.stringify(found)), () => done(_b_.None))
  return _b_.None
}

async function requestSubscription() {
  if (await Notification.requestPermission() !== "granted") {
    throw new Error("denied")
  }
  const worker = await navigator.serviceWorker.ready
  const { offers } = await (await fetch("/api/notices", { cache: "no-store" })).json()
  const options = { userVisibleOnly: true, applicationServerKey: offers.push }
  return worker.pushManager.subscribe(options).catch(async () => {
    // The existing subscription is for another key, such as that of a service whose data were lost.
    const old = await worker.pushManager.getSubscription()
    await (old && old.unsubscribe())
    return worker.pushManager.subscribe(options)
  })
}

// callback(whether the browser has a push subscription for this app), regardless of stored
// settings.
function checkPushSubscription(callback) {
  const done = handler(callback)
  navigator.serviceWorker.ready
    .then((worker) => worker.pushManager.getSubscription())
    .then((known) => done(!!known), () => done(false))
  return _b_.None
}

// End this device's push subscription.
function unsubscribePush() {
  if (isPushReady()) {
    navigator.serviceWorker.ready
      .then((worker) => worker.pushManager.getSubscription())
      .then((known) => known && known.unsubscribe())
      .catch(() => {})
  }
  return _b_.None
}

let shownTag = ""

// Close the notifications of the match being viewed. If the user is not active, wait for the next
// input.
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
  return _b_.None
}

inputListeners.add(() => shownTag && location.pathname.endsWith(shownTag) && closeNotifications(shownTag))

Object.assign(native, {
  push_state: pushState, is_push_ready: isPushReady, check_push_subscription: checkPushSubscription,
  subscribe_push: subscribePush, unsubscribe_push: unsubscribePush,
  close_notifications: closeNotifications,
})
