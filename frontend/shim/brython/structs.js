// Structs for Brython: the counterpart of msgspec.Struct in CPython.
//
// An instance is a plain JavaScript object of a class generated for its struct. The fields are own
// properties in a fixed order, so that all instances of a struct share one hidden class. Brython's
// attribute lookup (version 3.15.0) is wrapped to check for struct fields first.

import { fail } from "./interop.js"
import { exportToPython } from "./python_module.js"
import { $B, _b_ } from "./runtime.js"

const RESERVED = new Set(["ob_type", "$fields", "constructor", "valueOf", "toString", "then",
  "tp_name", "$kw"])

function freshDefault(value) {
  const cls = $B.get_class(value)
  return cls === _b_.dict || cls === _b_.list || cls === _b_.set ? $B.$call(cls) : value
}

// Give a class its constructor. names: the field names. defaults: an object of default values by
// name. Constructors are compiled on first use: compiling is slow, and most structs are never
// instantiated on the page that imports them.
function install(cls, names, defaults, kwOnly) {
  for (const name of names) {
    if (RESERVED.has(name)) {
      fail(`${cls.tp_name}: a field cannot be called ${name}`)
    }
  }
  const wanted = (part) => () => compile(cls, names, defaults, kwOnly)[part]
  // The empty setter ignores the factory that Brython sets once the class is complete.
  const factory = { get: wanted("factory"), set() {}, configurable: true }
  Object.defineProperty(cls, "$factory", factory)
  Object.defineProperty(cls, "$made", { get: wanted("Made"), configurable: true })
  cls.$names = names
}

function compile(cls, names, defaults, kwOnly) {
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
        values[i] = freshDefault(defaults[names[i]])
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
  Object.defineProperty(cls, "$factory", { get: () => factory, set() {} })
  Object.defineProperty(cls, "$made", { value: Made })
  return { factory, Made }
}

// Copy a struct, with some fields changed. changes: Brython's keyword argument object.
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

// Wraps `$B.$getattr`, which would not find the fields: an instance has no dict of Python.
const getattr = $B.$getattr
function getField(obj, attr, missing) {
  if (obj !== null && obj !== undefined) {
    const fields = obj.$fields
    if (fields !== undefined && fields[attr] === true) {
      return obj[attr]
    }
  }
  return getattr(obj, attr, missing)
}
$B.$getattr = getField

// Replaces `$B.$getattr_pep657`, which calls `$B.$getattr` within `try`.
$B.$getattr_pep657 = (obj, attr) => getField(obj, attr)

// Wraps `$B.$getitem`, which looks up `__getitem__` in the class, for tuples.
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

// Build a struct from a dict of values by field name; missing fields get their default values.
function build(cls, data) {
  const names = cls.$names
  const made = new cls.$made()
  for (let i = 0; i < names.length; i++) {
    const name = names[i]
    const value = Object.hasOwn(data, name) ? data[name] : undefined
    made[name] = value === undefined ? freshDefault(cls.$defaults[name]) : buildInner(cls.$inner[name], value)
    if (made[name] === undefined) {
      fail(`Missing required argument '${name}'`)
    }
  }
  return made
}

// Convert the value of a field. cls: the struct class that the field declares, if any; dicts become
// structs of it, also inside arrays, which become tuples.
function buildInner(cls, value) {
  if (cls === undefined || value === null || typeof value !== "object") {
    return value
  }
  if (Array.isArray(value)) {
    return $B.fast_tuple(Array.from(value, (each) => buildInner(cls, each)))
  }
  return $B.get_class(value) === _b_.dict ? build(cls, value) : value
}

// Install a struct class; called by msgspec/__init__.py. The build has added the field names and
// defaults to the class; inherited fields come first. tagged: whether the class name is its tag,
// which subclasses inherit.
function installFromPython(cls, Struct, tagged, kwOnly) {
  const base = $B.$getattr(cls, "__mro__")[1]
  const extended = base !== Struct
  const names = extended ? [...base.$names] : []
  const defaults = extended ? { ...base.$defaults } : {}
  names.push(...$B.$getattr(cls, "__struct_fields__"))
  for (const entry of _b_.dict.$iter_items($B.$getattr(cls, "__struct_defaults__"))) {
    defaults[entry.key] = entry.value
  }
  const fields = $B.fast_tuple([...names])
  if (extended) {
    $B.$setattr(cls, "__struct_fields__", fields)
  }
  $B.$setattr(cls, "__match_args__", kwOnly === true ? $B.fast_tuple([]) : fields)
  install(cls, names, defaults, kwOnly === true)
  cls.$tag = tagged || (extended && base.$tag) ? cls.tp_name : undefined
  cls.$defaults = defaults
  cls.$inner = extended ? { ...base.$inner } : {}
  for (const entry of _b_.dict.$iter_items($B.$getattr(cls, "__struct_inner__", $B.empty_dict()))) {
    cls.$inner[entry.key] = entry.value
  }
  return _b_.None
}

exportToPython({ install: installFromPython, replace, build })
