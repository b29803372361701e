// Python's modules: what a script brings is known at once and run piece by piece.

// Takes the modules of a script: the function of each by name, and which of them are packages.
$B.learn = function (modules, packages) {
  for (const name in modules) {
    const isPackage = packages.includes(name)
    $B.VFS[name] = [".py", "", [], isPackage]
    $B.precompiled[name] = isPackage ? [modules[name]] : modules[name]
  }
}

// Runs the modules of a part, each after all that it imports, so that each takes a moment.
$B.inTurn = function (part) {
  const missing = $B.turns[part].filter((name) => !Object.hasOwn($B.imported, name))
  const hollow = new Set(packagesAmong(missing))
  slices.push(...missing.map((name) => () => runWithParents(name, hollow)))
  return missing.length > 0
}

// Those of the modules that are the package of another one which comes before them.
function packagesAmong(names) {
  return names.filter((name, i) => names.slice(0, i).some((each) => each.startsWith(name + ".")))
}

// A package runs after its modules, which it gathers. Python would begin with the package, which
// then runs all of them at once: until its turn comes something empty stands in for it.
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

// Runs a module, unless that was done, as the runtime's importer does, which first asks all that
// might find it.
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
    delete $B.imported[name] // who asks for it is told too
    throw error
  }
  if (parent) {
    $B.module_setattr($B.imported[parent], name.slice(parent.length + 1), module)
  }
}

// Calls it in a turn of its own, behind what waits for one already.
function callSoon(callable) {
  slices.push(handler(callable))
  slices.run()
  return _b_.None
}

Object.assign(native, { call_soon: callSoon })
