"""Brython's runtime reduced to what translated code uses: a third of the original file.

The begin and end of every cut must each occur exactly once, so that the build fails if a new
version of Brython differs in these places.
"""

from importlib.resources import files
from typing import NamedTuple

from frontend.strip_module import CannotShip

FILE_SEPARATOR = "\n;\n"
"""The separator between the source files that Brython's build concatenates."""
FILE_END = "})(__BRYTHON__)"


class Excision(NamedTuple):
    """A replacement of the text from ``begin`` up to (not including) ``end``.

    An empty ``end`` means the end of the file.
    """

    begin: str
    end: str
    replacement: str = ""


# The sizes below are what a cut saves of 252 kB (brotli, quality 9), measured with Brython 3.15.0.
UNUSED = (
    "__BRYTHON__.ast_classes=",  # the classes of Python's syntax tree: 1.7 kB
    "var binary_ops={'+':'Add'",  # `$B.ast_py_to_js`, the syntax tree as Python objects: 2.6 kB
    "// >>> brython compiler chain",  # `$B._PySymtable_Build`, the symbol table: 7.2 kB
    "ELLIPSIS='...'\nconst STAR_TARGETS",  # `$B._PyPegen`, the actions of the grammar: 6.4 kB
    "function escaped_to_byte(char)",  # `$B.prepare_string`, string literals: 1.3 kB
    "function test_num(num_lit)",  # `$B.prepare_number`, number literals: 0.9 kB
    "$B.parser_constants=",  # constants of the parser: 1.6 kB
    "function strcmp(x,y)",  # `$B.PyPegen`, the parser's errors: 4.3 kB
    "function fprintf(dest,format)",  # the generated parser: 27.1 kB
    "var docs={ArithmeticError:",  # the texts of `help`: 7.0 kB
)
"""Strings that identify the omitted files, which only translate Python or contain help texts."""

SLICED_FINALIZATION = """
const types=[$B.builtin_types,$B.created_types].flatMap(Object.values)
const few=()=>{types.splice(0,8).forEach($B.finalize_type)
if(types.length){slices.unshift(few)}}
few()
"""
"""Code that prepares the built-in classes eight at a time instead of all at once.

Everything after it waits in the queue `slices` (see ``boot.js``).
"""

PLAIN_TEXT = r"""
const WIDE=/[\ud800-\udbff][\udc00-\udfff]/
$B.String=$B.make_String=s=> String(s)
$B.isWide=s=> WIDE.test(s)
function pypos2jspos(s,pypos){
if(pypos <=0 || !WIDE.test(s)){return pypos}
let jspos=0
for(let char of s){
if(pypos===0){return jspos}
jspos+=char.length
pypos-=1}
return jspos+pypos}
function jspos2pypos(s,jspos){
if(!WIDE.test(s)){return jspos}
let pypos=0
for(let char of s){
if(jspos <=0){break}
jspos-=char.length
pypos+=1}
return pypos}
function compare(a,b){
const halves=cp=> String.fromCharCode(cp >> 16,cp & 0xffff)
if(WIDE.test(a)|| WIDE.test(b)){
[a,b]=[a,b].map(s=> Array.from(s,char=> halves(char.codePointAt(0))).join(""))}
return a < b ?-1 :a > b ? 1 :0}
$B.$AlphabeticalCompare=compare
"""
"""Code that represents every Python string as a plain JavaScript string.

Brython wraps strings with characters beyond U+FFFF in an object of its own, but only in some
functions. Browser APIs reject or garble such objects, and lengths and slices are wrong where a
string was not wrapped. Without the wrapper no conversion is needed, and functions that count
characters count code points, as Python does.
"""

SLICE = """str.$getitem_slice=function(_self,slice){
const {start,stop,step}=_b_.slice.$conv_for_seq(slice,str.mp_length(_self))
const at=pypos=> pypos2jspos(_self,pypos)
if(step===1){return _self.substring(at(start),at(Math.max(start,stop)))}
const chars=to_chars(_self)
let res=""
for(let i=start;step > 0 ? i < stop :i > stop;i+=step){res+=chars[i]}
return res}
"""

LENGTH = """_b_.str.mp_length=function(self){
self=to_string(self)
return jspos2pypos(self,self.length)}
"""

COMPARE = """_b_.str.tp_richcompare=function(self,other,op){
if(! $B.is_str(other)){return _b_.NotImplemented}
[self,other]=to_string(self,other)
switch(op){case '__eq__':
return self===other
case '__ne__':
return self !==other
case '__lt__':
return compare(self,other) < 0
case '__le__':
return compare(self,other) <=0
case '__ge__':
return compare(self,other) >=0
case '__gt__':
return compare(self,other) > 0
default:
return _b_.NotImplemented}}
"""

PARTITION = """const i=_self.indexOf(sep)
if(i===-1){return _b_.tuple.$factory([_self,"",""])}
return _b_.tuple.$factory([_self.slice(0,i),sep,_self.slice(i+sep.length)])}
"""

EXCISIONS = (
    # `$B.tokenizer`: 4.4 kB.
    Excision("const FT_START=", "", FILE_END),
    # The code generator, `to_js` of each class of the syntax tree, except for the resolution of
    # names at run time (`$B.resolve_in_scopes` and others): 20.8 kB in three cuts.
    Excision("function ast_dump(tree,indent)", "$B.decode_position="),
    Excision("function get_source_from_position(", "function resolve_in_namespace(name,ns)"),
    Excision('var $operators=$B.op2method.subset("all")\nvar opname2opsign', "", FILE_END),
    # `$B.tz_name`: creating an `Intl.DateTimeFormat` takes time at each start, and fails in a
    # browser whose locale is not a language ("C").
    Excision("var date=new Date()\nvar formatter=", "$B.METH_VARARGS=0x0001", "$B.tz_name=''\n"),
    # `modules['browser.html']`, a class for each HTML tag: 1.3 kB.
    Excision(
        "modules['browser.html']=(function($B)",
        "modules['browser']=browser",
        "modules['browser.html']={}}\n",
    ),
    # The loop that calls `$B.finalize_type` for all built-in classes in one task.
    Excision(
        "for(var ns of[$B.builtin_types,$B.created_types])",
        "for(var builtin_func of $B.builtin_funcs)",
        SLICED_FINALIZATION,
    ),
    # `startup_observer`, which calls `addPythonScript` for each node added to the page. Only
    # `brython()` disconnects it, which the page never calls.
    Excision("if(!($B.isWebWorker ||$B.isNode)){var startup_observer", "var brython_options="),
    # The listener that replaces `document.body.onload` by a call of `brython()`, which searches the
    # page for Python scripts.
    Excision("var onload\naddEventListener('DOMContentLoaded'", "class BrythonOptions"),
    # Text beyond U+FFFF (see `PLAIN_TEXT`); `tests/browser/test_text.py` covers them.
    # `$B.$getitem1` takes `text[0]` from the code units: a text with wide characters has to be
    # indexed by `str.mp_subscript`.
    Excision(
        'if(typeof item=="number"){if(is_list ||typeof obj=="string"){',
        "item=item >=0 ? item :obj.length+item\nif(obj[item]!==undefined){return obj[item]}else{\n"
        "throw index_error(obj)",
        'if(typeof item=="number"){if(is_list ||typeof obj=="string" && ! $B.isWide(obj)){',
    ),
    # `$B.surrogates`, `$B.String`, `$B.make_String`, `pypos2jspos` and `jspos2pypos`.
    Excision(
        "$B.surrogates=function(s){", "function to_string(...args){if(args.length==1)", PLAIN_TEXT
    ),
    # `str.$getitem_slice` takes single code units if the step is not 1.
    Excision("str.$getitem_slice=function(_self,slice){", "var prefix=2,suffix=3", SLICE),
    # `str.tp_richcompare` orders by code unit, Python by code point.
    Excision(
        "_b_.str.tp_richcompare=function(self,other,op){", "_b_.str.sq_repeat=function", COMPARE
    ),
    # `str.mp_length` subtracts the pairs that `surrogates` lists.
    Excision(
        "_b_.str.mp_length=function(self){var s=self", "_b_.str.mp_subscript=function", LENGTH
    ),
    # `str.partition` mixes positions in code units with an array of code points.
    Excision(
        "var chars=to_chars(_self),i=_self.indexOf(sep)",
        "str_funcs.removeprefix=function",
        PARTITION,
    ),
    # `VFSLoader.exec_module` compiles the text of a translated module with `new Function`. Ours are
    # functions, which are compiled with their script, off the main thread.
    Excision(
        "var parent_id=$B.scope_name(parent)",
        "}catch(err){if($B.get_option('debug')> 1){console.log('error in module',mod)",
        "var $module=mod_js()",
    ),
)


def full_runtime() -> str:
    """Return Brython's runtime as shipped in its package."""
    return (files("brython") / "data" / "brython.js").read_text()


def runtime_pieces() -> list[str]:
    """Return the reduced runtime as a list of scripts to be run in order.

    Raises `CannotShip` if a cut does not fit this version of Brython.
    """
    found = [piece for piece in full_runtime().split(FILE_SEPARATOR) if piece.strip()]
    for begin in UNUSED:
        del found[_find_piece(found, begin)]
    for cut in EXCISIONS:
        place = _find_piece(found, cut.begin)
        found[place] = _apply_excision(found[place], cut)
    return found


def _find_piece(found: list[str], mark: str) -> int:
    """Return the index of the piece that contains ``mark``.

    Raises `CannotShip` unless ``mark`` occurs exactly once in all pieces.
    """
    places = [place for place, piece in enumerate(found) if mark in piece]
    if len(places) != 1 or found[places[0]].count(mark) != 1:
        raise CannotShip(f"Brython has changed: {mark!r} stands in {len(places)} places")
    return places[0]


def _apply_excision(piece: str, cut: Excision) -> str:
    begin = piece.index(cut.begin)
    if not cut.end:
        if not piece.rstrip(";\n").endswith(FILE_END):
            raise CannotShip(f"Brython has changed: what holds {cut.begin!r} ends differently")
        return piece[:begin] + cut.replacement
    if piece.count(cut.end) != 1 or piece.index(cut.end) < begin:
        raise CannotShip(f"Brython has changed: {cut.end!r} does not follow {cut.begin!r}")
    return piece[:begin] + cut.replacement + piece[piece.index(cut.end) :]
