// Notices of turns that the device shows, also while no page is open: see static/sw.js.

// "none": not over plain http, not in this browser; "install": only once the app is installed;
// "denied": the person said no to the browser; "can"; "granted".
function pushState() {
  if (!window.isSecureContext || !navigator.serviceWorker) {
    return "none"
  }
  if (!window.PushManager || !window.Notification) {
    return navigator.standalone === false ? "install" : "none"
  }
  return { denied: "denied", granted: "granted" }[Notification.permission] || "can"
}

// Whether the worker that shows notices runs for this page.
function isPushReady() {
  return !!(navigator.serviceWorker && navigator.serviceWorker.controller)
}

// Asks the person, then the browser; calls told(subscription as JSON), told(None) without one. The
// question comes first: some browsers allow it only right after a tap.
function subscribePush(told) {
  const done = handler(told)
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
    // One that was made for another key, such as that of a service whose data are gone.
    const old = await worker.pushManager.getSubscription()
    await (old && old.unsubscribe())
    return worker.pushManager.subscribe(options)
  })
}

// Calls told(whether the browser has a subscription for this app), whatever is stored here.
function checkPushSubscription(told) {
  const done = handler(told)
  navigator.serviceWorker.ready
    .then((worker) => worker.pushManager.getSubscription())
    .then((known) => done(!!known), () => done(false))
  return _b_.None
}

// Ends the subscription of this device.
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

// What is open before the person need not be shown as news any more. An open page that nobody uses
// closes nothing: it does so with the next input.
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
