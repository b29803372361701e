// Requests, and server-sent events over fetch.

// Calls answered(status, data); status 0 when nothing came back.
function request(method, path, body, key, answered) {
  const headers = { Accept: "application/json", "Accept-Language": document.documentElement.lang }
  if (body !== _b_.None && body !== null) {
    headers["Content-Type"] = "application/json"
  }
  if (key !== _b_.None && key !== null) {
    headers["Idempotency-Key"] = key
  }
  const done = handler(answered)
  begun(method, path, headers, body).then(([status, text, ahead]) => {
    hearTime(ahead)
    let data = _b_.None
    try {
      data = loads(text)
    } catch (_) { /* no JSON: a proxy's page */ }
    done(status, data)
  }).catch(() => done(0, _b_.None))
  return _b_.None
}

// The status and text of an answer, which the boot script may have asked for, and how many
// milliseconds the service's clock is ahead of this one.
function begun(method, path, headers, body) {
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
    const ahead = Date.parse(response.headers.get("Date")) - Date.now()
    return [response.status, await response.text(), ahead]
  })
  return answer.finally(() => clearTimeout(timer))
}

// Calls told(address of the picture, status, None), or told(None, status, data) without one.
function fetchPicture(path, body, told) {
  const done = handler(told)
  const headers = {
    "Content-Type": "application/json", Accept: "image/png, application/json",
    "Accept-Language": document.documentElement.lang,
  }
  fetch(path, { method: "POST", headers, body, cache: "no-store" }).then(async (response) => {
    if (response.ok) {
      done(URL.createObjectURL(await response.blob()), response.status, _b_.None)
    } else {
      done(_b_.None, response.status, parsed(await response.text()))
    }
  }).catch(() => done(_b_.None, 0, _b_.None))
  return _b_.None
}

const REPORT_PAUSE_MS = 60_000

// Server-sent events over fetch, so that silence can be noticed: the service sends a comment
// every 15 seconds, and a phone that slept may hold a connection that is dead. looking(data): who
// looks at the match, events of a type of their own. A page that is out of sight for a while follows
// on and says so: nobody has the match before them then. While a stream of a page in sight is open,
// input is reported to the service, which holds notifications back from a person who is there: when
// the stream opens with its address, later by a call once a minute at most.
// closed(data): the service has ended the stream for good and says why.
function follow(path, version, heard, changed, looking, closed) {
  const tell = handler(heard)
  const see = handler(looking)
  const end = handler(closed)
  const state = handler(changed)
  let last = version
  let stopped = false
  let abort = null
  let pause = 500
  let wake = null
  let unseen = false
  let hiding = null
  let isOpen = false
  let reportedAt = -Infinity
  function reportInput() {
    if (isOpen && lastInputAt > reportedAt && isAttended() && performance.now() - reportedAt > REPORT_PAUSE_MS) {
      reportedAt = performance.now()
      fetch(path.replace("/live", "/presence"), { method: "PUT" }).catch(() => {})
    }
  }
  onInput.add(reportInput)
  function turned() {
    clearTimeout(hiding)
    if (document.hidden) {
      hiding = setTimeout(again, 5000)
    } else if (unseen) {
      again()
    }
  }
  function again() {
    pause = 500
    abort.abort()
    if (wake) {
      wake()
    }
  }
  document.addEventListener("visibilitychange", turned)
  async function once() {
    abort = new AbortController()
    const current = abort
    let watchdog = setTimeout(() => current.abort(), 15000)
    try {
      const headers = { Accept: "text/event-stream" }
      if (last > 0) {
        headers["Last-Event-ID"] = String(last)
      }
      unseen = document.hidden
      const used = !unseen && isAttended()
      const query = unseen ? "hidden=1" : used ? "used=1" : ""
      const address = query ? `${path}${path.includes("?") ? "&" : "?"}${query}` : path
      const response = await fetch(address, { headers, signal: current.signal, cache: "no-store" })
      if (!response.ok) {
        return
      }
      state(true)
      isOpen = !unseen
      if (used) {
        reportedAt = performance.now() // the stream itself has said so
      }
      reportInput()
      pause = 500
      const reader = response.body.getReader()
      const decoder = new TextDecoder()
      let rest = ""
      let kind = ""
      while (true) {
        const { done, value } = await reader.read()
        if (done) {
          return
        }
        clearTimeout(watchdog)
        watchdog = setTimeout(() => current.abort(), 40000)
        rest += decoder.decode(value, { stream: true })
        const lines = rest.split("\n")
        rest = lines.pop()
        for (const line of lines) {
          if (line.startsWith("id:")) {
            last = Number(line.slice(3))
            tell(last)
          } else if (line.startsWith("event:")) {
            kind = line.slice(6).trim()
          } else if (line.startsWith("data:") && kind === "looking") {
            see(loads(line.slice(5)))
          } else if (line.startsWith("data:") && kind === "closed") {
            stopped = true
            document.removeEventListener("visibilitychange", turned)
            end(loads(line.slice(5)))
          } else if (line.trim() === "") {
            kind = ""
          }
        }
      }
    } catch (_) {
      // lost: the loop below tries again
    } finally {
      isOpen = false
      clearTimeout(watchdog)
    }
  }
  async function loop() {
    while (!stopped) {
      await once()
      if (stopped) {
        return
      }
      state(false)
      await new Promise((resolve) => {
        wake = resolve
        setTimeout(resolve, pause)
      })
      pause = Math.min(pause * 2, 8000)
    }
  }
  loop()
  return {
    stop() {
      stopped = true
      clearTimeout(hiding)
      document.removeEventListener("visibilitychange", turned)
      onInput.delete(reportInput)
      abort.abort()
    },
    again,
  }
}

const followers = []

function followFrom(path, version, heard, changed, looking, closed) {
  followers.push(follow(path, version, heard, changed, looking, closed))
  return followers.length - 1
}

function stopFollowing(number) {
  followers[number].stop()
  return _b_.None
}

function followAgain(number) {
  followers[number].again()
  return _b_.None
}

Object.assign(native, { request, fetch_picture: fetchPicture, follow: followFrom, stop_following: stopFollowing, follow_again: followAgain })
