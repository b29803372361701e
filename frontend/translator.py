"""The translation of Python to JavaScript by Brython's translator, run in V8 at build time."""

import json
import re

from py_mini_racer import MiniRacer

from frontend.brython_runtime import full_runtime
from frontend.strip_module import CannotShip

TRANSLATOR_EDITS = (
    # The number by which a traceback finds the columns of an operation; tables of columns do not
    # ship (see `strip_records`). A different number in each operation compresses badly.
    ("var inum=1+2*(up_scope.positions.length-1)", "var inum=0"),
    # The counter that makes names unique, which starts at a random number. It starts again in each
    # module, so that a change in one module does not rename the variables of the next ones, and in
    # each function, whose temporary variables are its own: equal names compress well.
    (
        "var uuid=Math.floor(Math.random()*1000000)",
        "var uuid=0\nvar defined=new Map()\n"
        "$B.restart_names=()=> {uuid=0\ndefined.clear()}\n"
        "function function_name(name){var count=(defined.get(name)?? 0)+1\n"
        "defined.set(name,count)\n"
        "return name+'$'+(count > 1 ? count :'')}",
    ),
    (
        "var func_scope=new Scope(this.name,'def',this)\n",
        "var outer_uuid=uuid\nuuid=0\nvar func_scope=new Scope(this.name,'def',this)\n",
    ),
    (
        "var qualname=lexical_qualname(this.$is_lambda ? '<lambda>' :this.name,scopes)\n",
        "uuid=outer_uuid\n",
    ),
    # The JavaScript names of functions. They need a number only if a module has several functions
    # of one name.
    ("var id=make_id(),name2=this.name+id", "var id=make_id(),name2=function_name(this.name)"),
    ("name='lambda_'+$B.lambda_magic+'_'+id", "name='lambda_'+id"),
    # The parameters of a function that has neither default values nor `*args`.
    (
        r"""js+=prefix+`if(arguments.length == ${positional.length} && `+
`! _${positional[positional.length -1].arg}?.$kw){\n`+
prefix+tab+`var ${locals_name} = locals = `+
`{${positional.map(x => x.arg + ': _' + x.arg).join(', ')}}\n`+
prefix+`} else {\n`+
prefix+tab+`var ${locals_name} = locals = `+
`$B.args_parser(${name2}, arguments)\n`+
prefix+`}\n`}else{""",
        r"""js+=prefix+`var ${locals_name} = locals = arguments.length == ${positional.length} && `+
`! _${positional[positional.length -1].arg}?.$kw ? `+
`{${positional.map(x => x.arg + ': _' + x.arg).join(', ')}} : `+
`$B.args_parser(${name2}, arguments)\n`}else{""",
    ),
    # The variables of the enclosing functions as properties of `locals()`, which we do not call.
    # Translated code reads them from the scope of their function.
    (
        r"""js+=prefix+`Object.defineProperty(locals, '${free_ident}', `+
`{get: function(){return ${free_ns}.${free_ident}}, `+
`set: function(){}, `+
`enumerable: true, configurable: true})\n`""",
        "",
    ),
    # The frame of a call (see `enterFunction` in `functions.js`).
    (
        r"""js+=prefix+`var frame = ["${this.$is_lambda ? '<lambda>': this.name}", `+
`locals, "${gname}", ${globals_name}, ${name2}]\n`+
prefix+`$B.enter_frame(frame, __file__, ${this.lineno})\n`
""",
        r"""js+=prefix+`var frame = $B.enterFunction(locals, ${name2})\n`
""",
    ),
    # What Python knows of a function (see `defineFunction` in `functions.js`), without its line,
    # variables and qualified name.
    (r"if(in_class){js+=prefix+`${name2}.$is_method = true\n`}" + "\n", ""),
    (
        r"""js+=prefix+`${name2}.$function_infos = [`+
`'${gname}', `+
`'${this.$is_lambda ? '<lambda>': this.name}', `+
`'${qualname}', `+
`__file__, `+
`${defaults}, `+
`${kw_defaults}, `+
`${docstring}, `+
`[${arg_names}], `+
`${args_vararg}, `+
`${args_kwarg},\n`+
prefix+tab+`${positional.length}, `+
`${this.lineno}, `+
`${flags}, `+
`[${free_vars}], `+
`${this.args.kwonlyargs.length}, `+
`${this.args.posonlyargs.length}, `+
`[${varnames}], `+
`${annotations}, `+
`${has_type_params ? 'type_params' : '[]'}, frame]\n`
js+=prefix+`$B.set_func_attrs(${name2}, frame, '${gname}')\n`
js+=prefix+`${name2}.ob_type = $B.function\n`
""",
        r"""var infos=[defaults,kw_defaults,args_vararg,args_kwarg,
this.args.kwonlyargs.length,this.args.posonlyargs.length]
var usual=['_b_.None','_b_.None','null','null',0,0]
while(infos.length && infos.at(-1)===usual[infos.length-1]){infos.pop()}
infos.unshift(name2,'frame',`'${this.$is_lambda ? '<lambda>': this.name}'`,`[${arg_names}]`,flags)
js+=prefix+`$B.${in_class ? 'defineMethod' : 'defineFunction'}(${infos.join(', ')})\n`
""",
    ),
    (r"js+=prefix+`${name2}.__annotate__ = _b_.None\n`}", "}"),
    # The line of a class and the names of the attributes that its methods set.
    (
        r"""prefix+`locals.__module__ = '${glob}'\n`+
prefix+`locals.__firstlineno__ = ${this.lineno}\n`
""",
        r"""prefix+`locals.__module__ = '${glob}'\n`
""",
    ),
    (r"js+=prefix+`locals.__static_attributes__ = $B.fast_tuple([${static_attrs}])\n`", ""),
    # The hash of a constant key of a dict, which the dict computes itself if it needs it.
    (
        "if(typeof v=='string'){item+=', '+$B.$hash(string_from_ast_value(v))}else{\ntry{",
        "if(typeof v!='string'){\ntry{",
    ),
)
"""Texts of Brython 3.15.0 with their replacements; each occurs exactly once."""

# Scope names used as variables, not in a string or as a property.
SCOPE = re.compile(r"(?<![\w$.'\"])locals_\w+")

# The statements that each function runs for `javascript.this`, and each class for tracing.
UNREAD_RECORDS = re.compile(
    r"^(\$B\.js_this = this|if ?\(frame\.\$f_trace !== _b_\.None\) ?\{\n\$B\.trace_line\(\)\n\})\n",
    re.M,
)

# The statement that each method runs for `super`.
OWN_CLASS = re.compile(
    r"^locals\.ob_type = +locals\.__class__ = \$B\.get_method_class\(.*\)\n", re.M
)

# The line of a loop, which only tracebacks use.
LOOP_LINE = re.compile(r"^frame\.\$lineno = \d+\n", re.M)

# The line that a call records in its frame, and a loop for each of its steps.
FRAME_LINE = re.compile(
    r"(\$B\.(?:enter_frame\(frame, __file__|make_js_iterator\(.*, frame), )\d+\)"
)

# A top-level function or a method, with the beginning of the call that defines it in Python.
FUNCTION = re.compile(
    r"^(function ([\w$]+)\(.*?^\})$(?=\n\$B\.define(?:Function|Method)\(\2,)", re.M | re.S
)

# The browser environment that brython.js expects even if it only translates.
PAGE_STUB = """
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
  __BRYTHON__.restart_names()
  try {
    return [true, __BRYTHON__.py2js({src: source, filename: name}, name, name).to_js()]
  } catch (error) {
    return [false, String(error) + " " + JSON.stringify(error.args || "") + error.stack]
  }
}
"""


class Translator:
    """A context manager that runs Brython's translator in V8."""

    def __enter__(self) -> "Translator":
        self._v8 = MiniRacer()
        self._v8.eval(PAGE_STUB)
        self._v8.eval(_edited_runtime())
        self._v8.eval(TRANSLATE)
        return self

    def __exit__(self, *_: object) -> None:
        self._v8.close()

    def __call__(self, name: str, source: str) -> str:
        """Return a module translated to JavaScript; raise `CannotShip` if Brython rejects it."""
        call = f"JSON.stringify(translate({json.dumps(name)}, {json.dumps(source)}))"
        done, result = json.loads(str(self._v8.eval(call)))
        if not done:
            raise CannotShip(f"{name}: {result}")
        return wrap_functions(strip_records(result))


def _edited_runtime() -> str:
    """Return Brython with `TRANSLATOR_EDITS`; raise `CannotShip` if one does not fit."""
    runtime = full_runtime()
    for known, replacement in TRANSLATOR_EDITS:
        if runtime.count(known) != 1:
            raise CannotShip(f"Brython has changed: {known!r} occurs {runtime.count(known)} times")
        runtime = runtime.replace(known, replacement)
    return runtime


def strip_records(js: str) -> str:
    """Return translated code without line numbers and other unused debugging data.

    Brython records the line of each statement and the columns of each call for tracebacks. Its
    scope names, ``locals_package_module_Class_function``, make up a sixth of all characters, so
    they are shortened.
    """
    js = re.sub(r"^\s*\$B\.set_lineno\(frame, \d+(, '\w+')?\);?\n", "", js, flags=re.M)
    js = re.sub(r"^\s*frame\.positions = \[.*\]\n", "", js, flags=re.M)
    js = re.sub(r"\$B\.set_lineno\(frame, \d+\) && ", "", js)
    js = re.sub(r"^ +", "", js, flags=re.M)
    js = LOOP_LINE.sub("", js)
    js = FRAME_LINE.sub(r"\g<1>0)", js)
    js = UNREAD_RECORDS.sub("", js)
    if "_b_.super" not in js:
        js = OWN_CLASS.sub("", js)
    short: dict[str, str] = {}
    return SCOPE.sub(lambda found: short.setdefault(found[0], f"L{len(short)}"), js)


def wrap_functions(js: str) -> str:
    """Return translated code with top-level functions wrapped in parentheses.

    Browsers then compile them with the script, off the main thread, instead of on the main thread
    at their first call. Applies only to functions that are defined in Python right after them.
    """
    return FUNCTION.sub(r"var \2 = (\1)", js)
