// The module `_native`: what Python code takes from shim/native/.
__BRYTHON__.addToImported("_native", __BRYTHON__.nativeModule())
