// The module `_native`: what the JavaScript of shim/ exports to Python.
__BRYTHON__.addToImported("_native", __BRYTHON__.nativeModule())
