// Faster calls and imports, the most frequent operations of translated Python. The functions
// replaced are those of Brython 3.15.0; they also record source positions for tracebacks, which the
// app does not use (see `strip_records` in `translator.py`).

import { $B, _b_ } from "./runtime.js"

// Replaces `$B.$call_with_position`, which calls `$B.$call` within `try`.
$B.$call_with_position = function (callable, inum, ...args) {
  if (typeof callable === "function") {
    const result = callable(...args)
    return result === undefined && callable.$in_js_module ? _b_.None : result
  }
  return $B.$call(callable, ...args)
}

// Replaces `$B.call_attr`. Calls `thing.name(...)` without creating a bound method, also for
// functions of modules and inherited methods; the original does so only for methods of the class
// itself.
$B.call_attr = function (thing, name, inum, ...args) {
  if (thing?.tp_name === undefined) {
    const cls = $B.get_class(thing)
    if (cls === $B.module) {
      const names = $B.get_dict(thing)
      if (Object.hasOwn(names, name) && typeof names[name] === "function") {
        return $B.$call(names[name], ...args)
      }
    } else if (cls.tp_funcs !== undefined && Object.hasOwn(cls.tp_funcs, name)) {
      if (cls.tp_funcs[name].ob_type === $B.builtin_method) {
        return cls.tp_funcs[name](thing, ...args)
      }
    } else if (cls.ob_type === _b_.type) {
      const method = $B.search_in_mro(cls, name)
      const own = $B.get_dict(thing)
      if (method?.ob_type === $B.function && !(own !== undefined && Object.hasOwn(own, name))) {
        return method(thing, ...args)
      }
    }
  }
  return $B.$call($B.$getattr(thing, name), ...args)
}

// Replaces `$B.$import_from`, which calls `__import__`, for `from module import name` if the module
// is loaded and has the name; leaves all other cases to the original.
const importFrom = $B.$import_from
$B.$import_from = function (module, name, aliases, level, locals, inum) {
  const from = level === 0 ? $B.imported[module] : undefined
  const names = from && $B.get_dict(from)
  if (names === undefined || !Object.hasOwn(names, name)) {
    return importFrom(module, name, aliases, level, locals, inum)
  }
  const [space, as] = aliases[name] ?? [locals, name]
  space[as] = names[name]
}
