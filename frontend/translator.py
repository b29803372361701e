"""Python to JavaScript: Brython's own translator, running in V8 at build time."""

import json
import re

from py_mini_racer import MiniRacer

from frontend.plain import CannotShip
from frontend.runtime import whole

# The names of a scope where they stand as a variable, neither in a text nor as a field.
SCOPE = re.compile(r"(?<![\w$.'\"])locals_\w+")

# What each function notes for `javascript.this`, and each class for who traces it.
UNREAD = re.compile(
    r"^(\$B\.js_this = this|if ?\(frame\.\$f_trace !== _b_\.None\) ?\{\n\$B\.trace_line\(\)\n\})\n",
    re.M,
)

# What each method notes for `super`.
OWN_CLASS = re.compile(
    r"^locals\.ob_type = +locals\.__class__ = \$B\.get_method_class\(.*\)\n", re.M
)

# A function that is not within another one, and is made known to Python after it.
FUNCTION = re.compile(r"^(function (\w+)\(.*?^\})$(?=\n\2\.\$)", re.M | re.S)

# What brython.js expects of a page when it is loaded only to translate.
PAGE = """
var self = globalThis, window = globalThis
var console = {log() {}, info() {}, warn() {}, error() {}, debug() {}}
class URL {
  constructor(url) {
    this.pathname = String(url).replace(/^[a-z]+:..[^/]*/, "")
    this.search = this.hash = ""
  }
}
globalThis.URL = URL
globalThis.addEventListener = () => {}
Math.random = () => 0.5  // names in the result stay the same from build to build
Date.now = () => 0
"""
TRANSLATE = """
function translate(name, source) {
  __BRYTHON__.url2name[name] = name
  try {
    return [true, __BRYTHON__.py2js({src: source, filename: name}, name, name).to_js()]
  } catch (error) {
    return [false, String(error) + " " + JSON.stringify(error.args || "") + error.stack]
  }
}
"""


class Translator:
    """Brython's translator, running in V8."""

    def __enter__(self) -> "Translator":
        self._v8 = MiniRacer()
        self._v8.eval(PAGE)
        self._v8.eval(whole())
        self._v8.eval(TRANSLATE)
        return self

    def __exit__(self, *_: object) -> None:
        self._v8.close()

    def __call__(self, name: str, source: str) -> str:
        """The JavaScript of a module; `CannotShip` when Brython refuses it."""
        call = f"JSON.stringify(translate({json.dumps(name)}, {json.dumps(source)}))"
        done, result = json.loads(str(self._v8.eval(call)))
        if not done:
            raise CannotShip(f"{name}: {result}")
        return eager(lighter(result))


def lighter(js: str) -> str:
    """Translated code without the bookkeeping of line numbers, which nobody reads here.

    Brython notes the line at each statement and the columns at each call, for tracebacks. It calls
    the names of a scope ``locals_package_module_Class_function``: a sixth of all its letters.
    """
    js = re.sub(r"^\s*\$B\.set_lineno\(frame, \d+(, '\w+')?\);?\n", "", js, flags=re.M)
    js = re.sub(r"^\s*frame\.positions = \[.*\]\n", "", js, flags=re.M)
    js = re.sub(r"\$B\.set_lineno\(frame, \d+\) && ", "", js)
    js = re.sub(r"^ +", "", js, flags=re.M)
    js = UNREAD.sub("", js)
    if "_b_.super" not in js:
        js = OWN_CLASS.sub("", js)
    short: dict[str, str] = {}
    return SCOPE.sub(lambda found: short.setdefault(found[0], f"L{len(short)}"), js)


def eager(js: str) -> str:
    """Translated code whose functions stand in brackets: browsers then compile them with the
    script and beside the page, instead of on the page's own thread when they are first called."""
    return FUNCTION.sub(r"var \2 = (\1)", js)
