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


UNUSED = (
    "__BRYTHON__.ast_classes=",  # Python's syntax tree
    "var binary_ops={'+':'Add'",
    "// >>> brython compiler chain",
    "ELLIPSIS='...'\nconst STAR_TARGETS",
    "function escaped_to_byte(char)",
    "function test_num(num_lit)",
    "$B.parser_constants=",
    "function strcmp(x,y)",
    "function fprintf(dest,format)",
    "var docs={ArithmeticError:",  # the texts of `help`
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
    Excision("const FT_START=", "", FILE_END),  # the tokenizer
    # The code generator, except for the resolution of names at run time.
    Excision("function ast_dump(tree,indent)", "$B.decode_position="),
    Excision("function get_source_from_position(", "function resolve_in_namespace(name,ns)"),
    Excision('var $operators=$B.op2method.subset("all")\nvar opname2opsign', "", FILE_END),
    # The name of the time zone: it takes a quarter of the start-up time, and fails in a browser
    # whose locale is not a language ("C").
    Excision("var date=new Date()\nvar formatter=", "$B.METH_VARARGS=0x0001", "$B.tz_name=''\n"),
    # The classes for HTML tags.
    Excision(
        "modules['browser.html']=(function($B)",
        "modules['browser']=browser",
        "modules['browser.html']={}}\n",
    ),
    # The preparation of all built-in classes at once, which takes half a second on a slow phone.
    Excision(
        "for(var ns of[$B.builtin_types,$B.created_types])",
        "for(var builtin_func of $B.builtin_funcs)",
        SLICED_FINALIZATION,
    ),
    # The search for Python scripts whenever the DOM changes.
    Excision("if(!($B.isWebWorker ||$B.isNode)){var startup_observer", "var brython_options="),
    Excision("var onload\naddEventListener('DOMContentLoaded'", "class BrythonOptions"),
    # Text beyond U+FFFF.
    Excision(
        'if(typeof item=="number"){if(is_list ||typeof obj=="string"){',
        "item=item >=0 ? item :obj.length+item\nif(obj[item]!==undefined){return obj[item]}else{\n"
        "throw index_error(obj)",
        'if(typeof item=="number"){if(is_list ||typeof obj=="string" && ! $B.isWide(obj)){',
    ),
    Excision(
        "$B.surrogates=function(s){", "function to_string(...args){if(args.length==1)", PLAIN_TEXT
    ),
    Excision("str.$getitem_slice=function(_self,slice){", "var prefix=2,suffix=3", SLICE),
    Excision(
        "_b_.str.tp_richcompare=function(self,other,op){", "_b_.str.sq_repeat=function", COMPARE
    ),
    Excision(
        "_b_.str.mp_length=function(self){var s=self", "_b_.str.mp_subscript=function", LENGTH
    ),
    Excision(
        "var chars=to_chars(_self),i=_self.indexOf(sep)",
        "str_funcs.removeprefix=function",
        PARTITION,
    ),
    # Modules are functions that are compiled with their script, instead of source text.
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
