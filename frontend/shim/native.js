// Structs for Brython: what msgspec does in CPython, as fast as the engine allows.
//
// An instance is a plain JavaScript object of a class made for its struct; the fields are its
// own properties in a fixed order, so the engine gives all instances one hidden class. Brython's
// general attribute lookup is replaced by one that first asks whether the object is a struct.
(function ($B) {
  "use strict"
  const _b_ = $B.builtins
  const RESERVED = new Set(["ob_type", "$fields", "constructor", "valueOf", "toString", "then",
    "tp_name", "$kw"])

  function fail(text) {
    $B.RAISE(_b_.TypeError, text)
  }

  function fresh(value) {
    const cls = $B.get_class(value)
    return cls === _b_.dict || cls === _b_.list || cls === _b_.set ? $B.$call(cls) : value
  }

  // Gives the class its constructor. names: array of field names; defaults: object by name.
  function install(cls, names, defaults, kwOnly) {
    for (const name of names) {
      if (RESERVED.has(name)) {
        fail(`${cls.tp_name}: a field cannot be called ${name}`)
      }
    }
    const count = names.length
    const params = names.map((_, i) => "a" + i)
    const body = names.map((name, i) => `this[${JSON.stringify(name)}] = a${i}`).join("\n")
    const Made = new Function(`return function Struct(${params}) {\n${body}\n}`)()
    const fields = Object.create(null)
    for (const name of names) {
      fields[name] = true
    }
    Made.prototype = Object.create(null)
    Made.prototype.ob_type = cls
    Made.prototype.$fields = fields
    function general(args) {
      const values = new Array(count)
      const filled = new Array(count).fill(false)
      let given = args.length
      const kw = given > 0 && args[given - 1] !== null && args[given - 1] !== undefined
        ? args[given - 1].$kw : undefined
      if (kw !== undefined) {
        given--
      }
      if (given > (kwOnly ? 0 : count)) {
        fail(`Extra positional arguments provided to ${cls.tp_name}`)
      }
      for (let i = 0; i < given; i++) {
        values[i] = args[i]
        filled[i] = true
      }
      if (kw !== undefined) {
        const named = $B.parse_kwargs(kw, cls.tp_name)
        for (const name in named) {
          const at = names.indexOf(name)
          if (at < 0) {
            fail(`Unexpected keyword argument '${name}'`)
          }
          if (filled[at]) {
            fail(`Argument '${name}' given by name and position`)
          }
          values[at] = named[name]
          filled[at] = true
        }
      }
      for (let i = 0; i < count; i++) {
        if (!filled[i]) {
          if (!Object.hasOwn(defaults, names[i])) {
            fail(`Missing required argument '${names[i]}'`)
          }
          values[i] = fresh(defaults[names[i]])
        }
      }
      return new Made(...values)
    }
    const last = count ? `a${count - 1}` : "undefined"
    const positional = kwOnly && count
      ? "false"
      : `arguments.length === ${count} && !(${last} && ${last}.$kw)`
    const factory = new Function("Made", "general", `return function (${params}) {
      if (${positional}) { return new Made(${params}) }
      return general(arguments)
    }`)(Made, general)
    // Brython sets a factory of its own once the class is complete: that one is ignored.
    Object.defineProperty(cls, "$factory", { get: () => factory, set() {} })
    cls.$made = Made
    cls.$names = names
  }

  // A copy with some fields changed; changes come as Brython's keyword argument.
  function replace(struct, changes) {
    const cls = struct.ob_type
    const names = cls.$names
    if (names === undefined) {
      fail("replace() wants a Struct")
    }
    const made = new cls.$made()
    for (let i = 0; i < names.length; i++) {
      made[names[i]] = struct[names[i]]
    }
    if (changes !== undefined) {
      const named = changes.$kw.length === 1 && changes.$kw[0][$B.OB_TYPE] === undefined
        ? changes.$kw[0] : $B.parse_kwargs(changes.$kw, "replace")
      for (const name in named) {
        if (struct.$fields[name] !== true) {
          fail(`${cls.tp_name} has no field ${name}`)
        }
        made[name] = named[name]
      }
    }
    return made
  }

  const getattr = $B.$getattr
  $B.$getattr = function (obj, attr, missing) {
    if (obj !== null && obj !== undefined) {
      const fields = obj.$fields
      if (fields !== undefined && fields[attr] === true) {
        return obj[attr]
      }
    }
    return getattr(obj, attr, missing)
  }
  const located = $B.$getattr_pep657
  $B.$getattr_pep657 = function (obj, attr, inum) {
    if (obj !== null && obj !== undefined) {
      const fields = obj.$fields
      if (fields !== undefined && fields[attr] === true) {
        return obj[attr]
      }
    }
    return located(obj, attr, inum)
  }

  // Tuples by number: Brython looks the method up in the class each time.
  const getitem = $B.$getitem
  $B.$getitem = function (obj, item, inum) {
    if (typeof item === "number" && Array.isArray(obj) && obj.ob_type === _b_.tuple) {
      const value = obj[item < 0 ? obj.length + item : item]
      if (value !== undefined) {
        return value
      }
    }
    return getitem(obj, item, inum)
  }

  // A struct from a dict by field name; what the dict lacks takes its default.
  function build(cls, data) {
    const names = cls.$names
    const made = new cls.$made()
    for (let i = 0; i < names.length; i++) {
      const name = names[i]
      const value = Object.hasOwn(data, name) ? data[name] : undefined
      made[name] = value === undefined ? fresh(cls.$defaults[name]) : value
      if (made[name] === undefined) {
        fail(`Missing required argument '${name}'`)
      }
    }
    return made
  }

  // --- JSON: arrays become tuples, objects become dicts ------------------------------------

  function toPython(value) {
    switch (typeof value) {
      case "string":
        return /[\ud800-\udfff]/.test(value) ? $B.String(value) : value
      case "number":
        return Number.isInteger(value) ? value : _b_.float.$factory(value)
      case "boolean":
        return value
    }
    if (value === null) {
      return _b_.None
    }
    if (Array.isArray(value)) {
      const items = new Array(value.length)
      for (let i = 0; i < value.length; i++) {
        items[i] = toPython(value[i])
      }
      return $B.fast_tuple(items)
    }
    const dict = $B.empty_dict()
    for (const key in value) {
      $B.str_dict_set(dict, key, toPython(value[key]))
    }
    return dict
  }

  function toJson(value) {
    if (value === null || value === _b_.None) {
      return null
    }
    switch (typeof value) {
      case "string":
      case "number":
      case "boolean":
        return value
    }
    if (Array.isArray(value)) {
      return Array.from(value, toJson)
    }
    const result = {}
    const names = value.ob_type && value.ob_type.$names
    if (names !== undefined) {
      if (typeof value.ob_type.$tag === "string") {
        result.type = value.ob_type.$tag
      }
      for (const name of names) {
        result[name] = toJson(value[name])
      }
      return result
    }
    const cls = $B.get_class(value)
    if (cls === _b_.dict) {
      for (const entry of _b_.dict.$iter_items(value)) {
        result[String(entry.key)] = toJson(entry.value)
      }
      return result
    }
    if (cls === _b_.float) {
      return value.value
    }
    if (cls === _b_.str) {
      return String(value)
    }
    return fail(`no JSON for ${$B.class_name(value)}`)
  }

  function loads(text) {
    return toPython(JSON.parse(text))
  }

  function dumps(value) {
    return JSON.stringify(toJson(value))
  }

  // install(cls, fields, defaults, kwOnly, tag) as msgspec/__init__.py calls it.
  function installFromPython(cls, fields, defaults, kwOnly, tag) {
    const values = {}
    for (const entry of _b_.dict.$iter_items(defaults)) {
      values[entry.key] = entry.value
    }
    install(cls, Array.from(fields), values, kwOnly === true)
    cls.$tag = tag
    cls.$defaults = values
    return _b_.None
  }

  // --- the page ----------------------------------------------------------------------------

  const SVG = "http://www.w3.org/2000/svg"

  function plain(value) {
    return value !== null && typeof value === "object" && value.ob_type === _b_.float
      ? value.value : value
  }

  function report(error) {
    const name = error && error.ob_type ? error.ob_type.tp_name : ""
    const args = error && error.args ? Array.from(error.args, String).join(" ") : ""
    console.error(`${name} ${args} ${error && error.stack ? error.stack : error}`)
  }

  // A JavaScript function that calls a Python one and reports what it raises.
  function handler(callable) {
    return (...args) => {
      try {
        return $B.$call(callable, ...args)
      } catch (error) {
        report(error)
      }
    }
  }

  function setAttributes(node, attributes) {
    // A dict with only strings for keys keeps them as its own properties.
    for (const name of Object.keys(attributes)) {
      const value = plain(attributes[name])
      if (name.startsWith("on")) {
        if (value !== null && value !== _b_.None) {
          node.addEventListener(name.slice(2), handler(value))
        }
      } else if (value === true) {
        node.setAttribute(name, "")
      } else if (value === false || value === null || value === _b_.None) {
        node.removeAttribute(name)
      } else if (name === "value") {
        node.value = String(value)
      } else {
        node.setAttribute(name, String(value))
      }
    }
  }

  // Text only ever becomes text nodes: no markup passes here.
  function append(node, children) {
    for (const child of children) {
      if (child === null || child === _b_.None || child === false) {
        continue
      }
      if (Array.isArray(child)) {
        append(node, child)
      } else if (child instanceof Node) {
        node.appendChild(child)
      } else {
        node.appendChild(document.createTextNode(String(plain(child))))
      }
    }
  }

  function made(node, attributes, children) {
    if (attributes !== undefined && attributes !== _b_.None) {
      setAttributes(node, attributes)
    }
    if (children !== undefined) {
      append(node, children)
    }
    return node
  }

  function el(tag, attributes, ...children) {
    return made(document.createElement(tag), attributes, children)
  }

  function svg(tag, attributes, ...children) {
    return made(document.createElementNS(SVG, tag), attributes, children)
  }

  function fill(node, ...children) {
    node.replaceChildren()
    append(node, children)
    return node
  }

  function patch(node, attributes) {
    setAttributes(node, attributes)
    return _b_.None
  }

  const listening = []

  // target: a node, or "window" or "document". Gives a number to stop listening with.
  function listen(target, name, callable) {
    const real = target === "window" ? window : target === "document" ? document : target
    const abort = new AbortController()
    real.addEventListener(name, handler(callable), { passive: false, signal: abort.signal })
    return listening.push(abort) - 1
  }

  function unlisten(number) {
    listening[number].abort()
    return _b_.None
  }

  function after(milliseconds, callable) {
    return setTimeout(handler(callable), plain(milliseconds))
  }

  function cancel(timer) {
    clearTimeout(timer)
    return _b_.None
  }

  function frame(callable) {
    return requestAnimationFrame((time) => handler(callable)(Math.round(time)))
  }

  // --- the network -------------------------------------------------------------------------

  // Calls answered(status, data); status 0 when nothing came back.
  function request(method, path, body, key, answered) {
    const headers = { Accept: "application/json" }
    if (body !== _b_.None && body !== null) {
      headers["Content-Type"] = "application/json"
    }
    if (key !== _b_.None && key !== null) {
      headers["Idempotency-Key"] = key
    }
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), 12000)
    const done = handler(answered)
    fetch(path, {
      method, headers, body: headers["Content-Type"] ? body : undefined, signal: abort.signal,
      cache: "no-store", credentials: "same-origin",
    }).then(async (response) => {
      const text = await response.text()
      let data = _b_.None
      try {
        data = loads(text)
      } catch (_) { /* no JSON: a proxy's page */ }
      clearTimeout(timer)
      done(response.status, data)
    }).catch(() => {
      clearTimeout(timer)
      done(0, _b_.None)
    })
    return _b_.None
  }

  // A random key; crypto.randomUUID is missing on plain http.
  function randomKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  }

  // Server-sent events over fetch, so that silence can be noticed: the service sends a comment
  // every 15 seconds, and a phone that slept may hold a connection that is dead.
  function follow(path, version, heard, changed) {
    const tell = handler(heard)
    const state = handler(changed)
    let last = version
    let stopped = false
    let abort = null
    let pause = 500
    let wake = null
    async function once() {
      abort = new AbortController()
      const current = abort
      let watchdog = setTimeout(() => current.abort(), 15000)
      try {
        const headers = { Accept: "text/event-stream" }
        if (last > 0) {
          headers["Last-Event-ID"] = String(last)
        }
        const response = await fetch(path, { headers, signal: current.signal, cache: "no-store" })
        if (!response.ok) {
          return
        }
        state(true)
        pause = 500
        const reader = response.body.getReader()
        const decoder = new TextDecoder()
        let rest = ""
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
            }
          }
        }
      } catch (_) {
        // lost: the loop below tries again
      } finally {
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
        abort.abort()
      },
      again() {
        pause = 500
        abort.abort()
        if (wake) {
          wake()
        }
      },
    }
  }
  const followers = []

  function followFrom(path, version, heard, changed) {
    followers.push(follow(path, version, heard, changed))
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

  function stored(name, value) {
    try {
      if (value === undefined) {
        const found = localStorage.getItem(name)
        return found === null ? _b_.None : found
      }
      if (value === _b_.None || value === null) {
        localStorage.removeItem(name)
      } else {
        localStorage.setItem(name, value)
      }
    } catch (_) { /* storage may be closed to us */ }
    return _b_.None
  }

  // Links inside the app change the page without loading it.
  function interceptLinks(callable) {
    const follow = handler(callable)
    document.addEventListener("click", (event) => {
      const link = event.target.closest && event.target.closest("a[href^='/']")
      if (link && !link.target && !link.hasAttribute("download") && !event.defaultPrevented && event.button === 0 &&
          !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey) {
        event.preventDefault()
        follow(link.getAttribute("href"))
      }
    })
    return _b_.None
  }

  // Redraws and puts the focus back on the field that had it.
  function keepFocus(callable) {
    const had = document.activeElement
    const { name, value } = had || {}
    $B.$call(callable)
    if (name && !had.isConnected) {
      const again = Array.from(document.getElementsByName(name))
        .find((node) => node.type !== "radio" || node.value === value)
      if (again) {
        again.focus()
      }
    }
    return _b_.None
  }

  function cloned(id) {
    return document.getElementById(id).content.cloneNode(true)
  }

  // The hour and minute here, so many minutes after a moment in ISO 8601.
  function hourAfter(moment, minutes) {
    const time = new Date(Date.parse(moment) + 60000 * minutes)
    return time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
  }

  // Where the page is: (path, query as a dict, hash).
  function place() {
    const query = $B.empty_dict()
    for (const [name, value] of new URLSearchParams(location.search)) {
      $B.str_dict_set(query, name, value)
    }
    return $B.fast_tuple([location.pathname, query, location.hash])
  }

  function hasGame(slug) {
    return Object.hasOwn($B.VFS, "frontend.app.games." + slug)
  }

  function hidden() {
    return document.visibilityState === "hidden"
  }

  function matches(query) {
    return matchMedia(query).matches
  }

  function title(text) {
    document.title = text
    return _b_.None
  }

  function theme(value) {
    if (value === undefined) {
      return document.documentElement.dataset.theme || ""
    }
    if (value) {
      document.documentElement.dataset.theme = value
    } else {
      delete document.documentElement.dataset.theme
    }
    return _b_.None
  }

  function byId(id) {
    return document.getElementById(id)
  }

  // Scrolls a node into sight inside whatever scrolls it; not when it is not to be seen.
  function reveal(node) {
    if (node.offsetParent !== null) {
      node.scrollIntoView({ block: "nearest" })
    }
    return _b_.None
  }

  // Calls read(text) with the file that was chosen, failed() when it cannot be read.
  function readFile(input, read, failed) {
    const done = handler(read)
    const lost = handler(failed)
    const file = input.files[0]
    if (file) {
      file.text().then((text) => done(text), () => lost())
      input.value = ""
    }
    return _b_.None
  }

  function scrollUp() {
    scrollTo(0, 0)
    return _b_.None
  }

  function go(address, replace) {
    history[replace === true ? "replaceState" : "pushState"](null, "", address)
    return _b_.None
  }

  // Calls back when a node changes its size.
  function observe(node, callable) {
    new ResizeObserver(handler(callable)).observe(node)
    return _b_.None
  }

  // Where a pointer is in an svg's own units: (x, y), rounded.
  function unitsAt(node, x, y) {
    const point = new DOMPoint(plain(x), plain(y)).matrixTransform(node.getScreenCTM().inverse())
    return $B.fast_tuple([Math.round(point.x), Math.round(point.y)])
  }

  // Width and height of a node in whole pixels.
  function sizeOf(node) {
    const box = node.getBoundingClientRect()
    return $B.fast_tuple([Math.round(box.width), Math.round(box.height)])
  }

  async function share(url, title) {
    if (navigator.share) {
      try {
        await navigator.share({ url, title })
        return
      } catch (_) { /* put away, or not allowed: copy instead */ }
    }
    await copy(url)
  }

  // The clipboard exists on https only; selecting text works everywhere.
  async function copy(text) {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return
    }
    const field = document.createElement("textarea")
    field.value = text
    document.body.appendChild(field)
    field.select()
    document.execCommand("copy")
    field.remove()
  }

  function offer(action, text, title, done) {
    const told = handler(done)
    ;(action === "share" ? share(text, title) : copy(text))
      .then(() => told(true), () => told(false))
    return _b_.None
  }

  $B.nativeModule = () => ({
    follow: followFrom, stop_following: stopFollowing, follow_again: followAgain,
    intercept_links: interceptLinks, keep_focus: keepFocus, cloned, place, has_game: hasGame, hidden, matches, title, theme,
    observe, reveal, read_file: readFile, by_id: byId, scroll_up: scrollUp, secure: () => window.isSecureContext,
    origin: () => location.origin, stored, go, units_at: unitsAt, hour_after: hourAfter, size_of: sizeOf, offer,
    install: installFromPython, replace, build, loads, dumps,
    el, svg, fill, patch, listen, unlisten, after, cancel, frame, request, random_key: randomKey,
  })
})(__BRYTHON__);
