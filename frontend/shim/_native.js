// The Python module `_native`: the exports of the JavaScript in shim/.
__BRYTHON__.addToImported("_native", __BRYTHON__.nativeModule())
