// The module `_native`: what Python code takes from native.js.
__BRYTHON__.addToImported("_native", __BRYTHON__.nativeModule())
