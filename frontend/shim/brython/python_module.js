// The Python module `_native`: what the modules of shim/ export to Python.

import { $B } from "./runtime.js"

const names = {}

// Add functions by the names that Python imports.
export function exportToPython(functions) {
  Object.assign(names, functions)
}

$B.nativeModule = () => names
