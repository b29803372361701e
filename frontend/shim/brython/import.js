// Importing Python modules: they are registered when their script loads and executed one per slice.

import { handler, report } from "./interop.js"
import { exportToPython } from "./python_module.js"
import { $B, _b_ } from "./runtime.js"

// Register the modules of a script. modules: module functions by name. packages: the names that are
// packages.
$B.defineModules = function (modules, packages) {
  for (const name in modules) {
    const isPackage = packages.includes(name)
    $B.VFS[name] = [".py", "", [], isPackage]
    $B.precompiled[name] = isPackage ? [modules[name]] : modules[name]
  }
}

// Queue each module of a bundle that has not run as a slice, dependencies first, so that slices are
// short. Return whether there was any.
$B.runBundle = function (part) {
  const missing = $B.runOrders[part].filter((name) => !Object.hasOwn($B.imported, name))
  slices.push(...missing.map((name) => () => runWithParents(name)))
  return missing.length > 0
}

// Run a module, after its packages. These import none of their modules, so that each module runs in
// a slice of its own.
function runWithParents(name) {
  const parent = name.slice(0, name.lastIndexOf("."))
  const names = $B.empty_dict()
  const frame = ["__main__", names, "__main__", names]
  names.__name__ = "__main__"
  $B.enter_frame(frame, "__main__", 1)
  try {
    if (parent === "" || Object.hasOwn($B.imported, parent)) {
      runModule(name, parent)
    } else {
      $B.import(name, [], {}, names, 0)
    }
  } catch (error) {
    report(error)
  }
  $B.leave_frame()
}

// Run a module unless it is loaded, like the runtime's importer but without searching its finders.
function runModule(name, parent) {
  if (Object.hasOwn($B.imported, name)) {
    return
  }
  const isPackage = Array.isArray($B.precompiled[name])
  const module = $B.imported[name] = $B.$call($B.module, name)
  const names = $B.get_dict(module)
  module.$is_package = isPackage
  names.__initialized__ = true
  names.__package__ = isPackage ? name : parent
  if (isPackage) {
    names.__path__ = $B.$list([])
  }
  try {
    Object.assign(names, isPackage ? $B.precompiled[name][0]() : $B.precompiled[name]())
  } catch (error) {
    delete $B.imported[name] // so that a later import runs it again
    throw error
  }
  if (parent) {
    $B.module_setattr($B.imported[parent], name.slice(parent.length + 1), module)
  }
}

// Call a function in a slice of its own, after those already queued.
function callSoon(callable) {
  slices.push(handler(callable))
  slices.run()
  return _b_.None
}

exportToPython({ call_soon: callSoon })
