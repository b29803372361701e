// Faster iteration, unpacking and lookup in dicts and classes. The functions replaced are those of
// Brython 3.15.0, which throw exceptions internally at the end of each loop and for each missing
// dict key.

import { $B, _b_ } from "./runtime.js"

const DONE = Object.freeze({ done: true, value: undefined })
const Returned = $B.generator_return(null).ob_type // class that wraps a generator's return value

// Define how loops iterate over instances of a class, in the place of the general loop of
// `$B.make_js_iterator`, which calls `__next__` until it throws StopIteration. begin(thing) returns
// the `next` function of a JavaScript iterator.
function iterateWith(cls, begin) {
  cls[$B.FAST_ITER] = (thing, setLine, frame, line) => {
    const step = begin(thing)
    return {
      [Symbol.iterator]() { return this },
      next() {
        setLine(frame, line)
        try {
          return step()
        } catch (error) {
          if ($B.is_exc(error, [_b_.StopIteration])) {
            return DONE
          }
          throw error
        }
      },
    }
  }
}

// Resume a generator until its next `yield`, as `send(None)` does. Return a JavaScript iterator
// result.
function resumeGenerator(generator) {
  const gen = generator.js_gen
  gen.$has_run = true
  if (gen.$finished) {
    return DONE
  }
  if (gen.gi_running === true) {
    $B.RAISE(_b_.ValueError, "generator already executing")
  }
  gen.gi_running = true
  const before = $B.frame_obj
  if (generator.$frame) {
    $B.frame_obj = $B.push_frame(generator.$frame)
  }
  let found
  try {
    found = gen.next(_b_.None)
  } catch (error) {
    gen.$finished = true
    $B.frame_obj = before
    throw error
  }
  if ($B.frame_obj !== null && $B.frame_obj.frame === generator.$frame) {
    $B.leave_frame()
  }
  $B.frame_obj = before
  if (found.value && found.value.ob_type === Returned) {
    gen.$finished = true
    return { done: true, value: found.value.value }
  }
  gen.gi_running = false
  return found
}

// Replaces `$B.generator.tp_iternext`, which calls `send`, in loops.
iterateWith($B.generator, (generator) => () => resumeGenerator(generator))

// Replaces `__next__` of the iterators of these classes in loops. Their iterator is a single
// JavaScript generator of the runtime.
for (const cls of [_b_.dict, $B.dict_keys, $B.dict_values, $B.dict_items, _b_.set, _b_.frozenset]) {
  iterateWith(cls, (thing) => {
    const iterator = cls.tp_iter(thing)
    const items = iterator.ob_type.tp_iternext(iterator)
    return () => items.next()
  })
}

// Replaces `__next__` of these iterators in loops, for which the runtime creates a JavaScript
// generator per item.
for (const cls of [_b_.enumerate, _b_.zip, _b_.map]) {
  iterateWith(cls, (iterator) => () => cls.tp_iternext(iterator).next())
}

// Replaces `_b_.next` for a generator and no default value.
const next = _b_.next
_b_.next = Object.assign(function (iterator) {
  if (arguments.length !== 1 || iterator?.ob_type !== $B.generator) {
    return next.apply(null, arguments)
  }
  const found = resumeGenerator(iterator)
  if (found.done) {
    $B.RAISE(_b_.StopIteration, found.value)
  }
  return found.value
}, next)

// Replaces `$B.unpacker`, which copies the items through an iterator, for a tuple or list of the
// expected length, as in `a, b = pair`.
const unpacker = $B.unpacker
$B.unpacker = function (thing, count, starred) {
  const cls = thing?.ob_type
  if (starred || (cls !== _b_.tuple && cls !== _b_.list) || thing.length !== count) {
    return unpacker.apply(null, arguments)
  }
  const parts = cls === _b_.list ? thing.slice() : thing // an assignment target may be an item of the list
  let at = 0
  return { read_one: () => parts[at++] }
}

// Replaces `tuple.$factory` and `list.$factory` for one iterable, as in `tuple(things)`.
for (const cls of [_b_.tuple, _b_.list]) {
  const factory = cls.$factory
  cls.$factory = function (things) {
    if (arguments.length !== 1 || things === null || things === undefined || things.$kw) {
      return factory.apply(cls, arguments)
    }
    const made = Array.isArray(things) && things.ob_type
      ? things.slice() : Array.from($B.make_js_iterator(things))
    made.ob_type = cls
    return made
  }
}

// Replaces `str.tp_funcs.join`, which throws an exception at the end of each list (2 to 3 ms per
// jump of a replay).
const join = _b_.str.tp_funcs.join
_b_.str.tp_funcs.join = Object.assign(function (separator, parts) {
  const cls = parts?.ob_type
  const isPlain = arguments.length === 2 && (cls === _b_.list || cls === _b_.tuple)
  if (isPlain && typeof separator === "string" && parts.every((part) => typeof part === "string")) {
    return parts.join(separator)
  }
  return join.apply(null, arguments)
}, join)

// Replaces `dict.tp_funcs.get`, which throws and catches a KeyError for a missing key.
const get = _b_.dict.tp_funcs.get
_b_.dict.tp_funcs.get = Object.assign(function (dict, key, missing = _b_.None) {
  if (arguments.length < 2 || arguments.length > 3 || missing?.$kw || key?.$kw || dict[$B.JSOBJ]) {
    return get.apply(null, arguments)
  }
  if (typeof key === "string") {
    return Object.hasOwn(dict, key) ? dict[key] : missing
  }
  const hash = _b_.hash(key)
  return _b_.dict.$contains(dict, key, hash) ? _b_.dict.$lookup_by_key(dict, key, hash).value : missing
}, get)

// Replaces `$B.search_in_mro`: looks up a name in a class and its bases; returns `missing` if there
// is none. The original calls `$B.get_from_dict` for each class.
$B.search_in_mro = function (cls, name, missing) {
  const order = $B.get_mro(cls)
  for (let i = 0; i < order.length; i++) {
    const names = $B.get_dict(order[i])
    if (names !== undefined && Object.hasOwn(names, name) && names[name] !== $B.NULL) {
      return names[name]
    }
  }
  return missing
}
