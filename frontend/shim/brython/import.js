// Python modules: registered when their script loads, executed one per slice.

// Register the modules of a script. modules: function by module name; packages: names of packages.
$B.defineModules = function (modules, packages) {
  for (const name in modules) {
    const isPackage = packages.includes(name)
    $B.VFS[name] = [".py", "", [], isPackage]
    $B.precompiled[name] = isPackage ? [modules[name]] : modules[name]
  }
}

// Queue the modules of a part as slices, dependencies first, so that each slice is short. Return
// whether any module was still missing.
$B.runBundle = function (part) {
  const missing = $B.runOrders[part].filter((name) => !Object.hasOwn($B.imported, name))
  const hollow = new Set(packagesAmong(missing))
  slices.push(...missing.map((name) => () => runWithParents(name, hollow)))
  return missing.length > 0
}

// Return the names that are packages of a module earlier in the list.
function packagesAmong(names) {
  return names.filter((name, i) => names.slice(0, i).some((each) => each.startsWith(name + ".")))
}

// Run a module with a placeholder for its package. Python runs the package first, and that would
// import all of its modules in one slice; here the package runs last, and until then an empty
// module takes its place.
function runWithParents(name, hollow) {
  const parent = name.slice(0, name.lastIndexOf("."))
  if (hollow.has(parent) && !Object.hasOwn($B.imported, parent)) {
    $B.imported[parent] = $B.$call($B.module, parent)
    $B.module_setattr($B.imported[parent], "__path__", $B.$list([]))
    $B.module_setattr($B.imported[parent], "__initialized__", true)
  }
  if (hollow.has(name)) {
    delete $B.imported[name]
  }
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

// Run a module once, like the runtime's importer but without searching its finders.
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
    delete $B.imported[name] // a later import fails too
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

Object.assign(native, { call_soon: callSoon })
