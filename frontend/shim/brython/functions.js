// The definition and the call of translated functions: what Brython's translator writes out in each
// function, as calls, which `TRANSLATOR_EDITS` in `translator.py` writes instead. That makes up a
// sixth of the compressed code.

import { $B, _b_ } from "./runtime.js"

const { __name__: NAME, __module__: MODULE, __globals__: OUTER } = $B.func_attrs
const NONE = []

// Make `func` a Python function. outer: the frame in which it is defined. args: the names of its
// parameters, of which the last `keywordOnly` are keyword-only. flags: `co_flags` of Python.
// defaults: an array, keywordDefaults: an object, both None if there are none. varArgs, varKeywords:
// the names of `*args` and `**kwargs`, or null.
//
// Lines, free variables and the variables that are not parameters are left out. The qualified name
// is the name; classes complete it for their methods.
$B.defineFunction = function (func, outer, name, args, flags, defaults = _b_.None, keywordDefaults = _b_.None,
  varArgs = null, varKeywords = null, keywordOnly = 0, positionalOnly = 0) {
  const module = outer[2]
  func.$function_infos = [module, name, name, module, defaults, keywordDefaults, _b_.None, args, varArgs, varKeywords,
    args.length - keywordOnly, 0, flags, NONE, keywordOnly, positionalOnly, args, false, NONE, outer]
  $B.set_func_attrs(func, outer, module)
  func.ob_type = $B.function
  func.__annotate__ = _b_.None
}

// Make `func` a method of the class that is being defined.
$B.defineMethod = function (func, ...infos) {
  func.$is_method = true
  $B.defineFunction(func, ...infos)
}

// Enter a call of `func` and return its frame.
$B.enterFunction = function (locals, func) {
  const infos = func.$function_infos
  const frame = [infos[NAME], locals, infos[MODULE], infos[OUTER][3], func]
  $B.enter_frame(frame, infos[MODULE], 0)
  return frame
}
