"""Brython's runtime without what translated code never uses: a third of its package's file.

Every cut is exact: where it begins and ends has to stand in the file once, so that a version of
Brython that looks different stops the build instead of shipping something else.
"""

from importlib.resources import files
from typing import NamedTuple

from frontend.plain import CannotShip

BETWEEN = "\n;\n"
"""What stands between the files that Brython's own build has put into one."""
END = "})(__BRYTHON__)"


class Cut(NamedTuple):
    """From ``begin`` up to ``end``, which stays, there is ``instead``; "" ends with the file."""

    begin: str
    end: str
    instead: str = ""


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
    "var docs={ArithmeticError:",  # what `help` would say
)
"""What stands in the files that only translate or tell."""

FEW_AT_A_TIME = """
const types=[$B.builtin_types,$B.created_types].flatMap(Object.values)
const few=()=>{types.splice(0,8).forEach($B.finalize_type)
if(types.length){slices.unshift(few)}}
few()
"""
"""How the built-in classes are made ready instead: what follows waits in `slices` (``boot.js``)."""

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
"""How text is kept instead: a string of Python is a string of JavaScript, whatever letters it has.

Brython wraps one with characters beyond U+FFFF in an object of its own, and only some of its
functions do: the page, storage and network refuse or garble that, and lengths and slices are wrong
where it was not wrapped. Without it nothing is to be turned into anything on the way in either
direction, and what counts letters counts code points, as Python does.
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

CUTS = (
    Cut("const FT_START=", "", END),  # reading Python's tokens
    # JavaScript from a syntax tree, but for what its names mean when it runs.
    Cut("function ast_dump(tree,indent)", "$B.decode_position="),
    Cut("function get_source_from_position(", "function resolve_in_namespace(name,ns)"),
    Cut('var $operators=$B.op2method.subset("all")\nvar opname2opsign', "", END),
    # The name of the time zone: a quarter of the start, and no start at all in a browser whose
    # language is none ("C").
    Cut("var date=new Date()\nvar formatter=", "$B.METH_VARARGS=0x0001", "$B.tz_name=''\n"),
    # A class for each tag of HTML.
    Cut(
        "modules['browser.html']=(function($B)",
        "modules['browser']=browser",
        "modules['browser.html']={}}\n",
    ),
    # The built-in classes, all in one go: half a second on a slow phone.
    Cut(
        "for(var ns of[$B.builtin_types,$B.created_types])",
        "for(var builtin_func of $B.builtin_funcs)",
        FEW_AT_A_TIME,
    ),
    # Scripts in Python are looked for at every change of the page.
    Cut("if(!($B.isWebWorker ||$B.isNode)){var startup_observer", "var brython_options="),
    Cut("var onload\naddEventListener('DOMContentLoaded'", "class BrythonOptions"),
    # Text beyond U+FFFF.
    Cut(
        'if(typeof item=="number"){if(is_list ||typeof obj=="string"){',
        "item=item >=0 ? item :obj.length+item\nif(obj[item]!==undefined){return obj[item]}else{\n"
        "throw index_error(obj)",
        'if(typeof item=="number"){if(is_list ||typeof obj=="string" && ! $B.isWide(obj)){',
    ),
    Cut("$B.surrogates=function(s){", "function to_string(...args){if(args.length==1)", PLAIN_TEXT),
    Cut("str.$getitem_slice=function(_self,slice){", "var prefix=2,suffix=3", SLICE),
    Cut("_b_.str.tp_richcompare=function(self,other,op){", "_b_.str.sq_repeat=function", COMPARE),
    Cut("_b_.str.mp_length=function(self){var s=self", "_b_.str.mp_subscript=function", LENGTH),
    Cut(
        "var chars=to_chars(_self),i=_self.indexOf(sep)",
        "str_funcs.removeprefix=function",
        PARTITION,
    ),
    # Modules are functions, compiled with the script they lie in, instead of text.
    Cut(
        "var parent_id=$B.scope_name(parent)",
        "}catch(err){if($B.get_option('debug')> 1){console.log('error in module',mod)",
        "var $module=mod_js()",
    ),
)


def whole() -> str:
    """Brython's runtime as its package has it."""
    return (files("brython") / "data" / "brython.js").read_text()


def pieces() -> list[str]:
    """What ships of it: scripts that run one after the other. Raises `CannotShip`."""
    found = [piece for piece in whole().split(BETWEEN) if piece.strip()]
    for begin in UNUSED:
        del found[_holder(found, begin)]
    for cut in CUTS:
        place = _holder(found, cut.begin)
        found[place] = _without(found[place], cut)
    return found


def _holder(found: list[str], mark: str) -> int:
    """Which piece a mark stands in: one, and once."""
    places = [place for place, piece in enumerate(found) if mark in piece]
    if len(places) != 1 or found[places[0]].count(mark) != 1:
        raise CannotShip(f"Brython has changed: {mark!r} stands in {len(places)} places")
    return places[0]


def _without(piece: str, cut: Cut) -> str:
    begin = piece.index(cut.begin)
    if not cut.end:
        if not piece.rstrip(";\n").endswith(END):
            raise CannotShip(f"Brython has changed: what holds {cut.begin!r} ends differently")
        return piece[:begin] + cut.instead
    if piece.count(cut.end) != 1 or piece.index(cut.end) < begin:
        raise CannotShip(f"Brython has changed: {cut.end!r} does not follow {cut.begin!r}")
    return piece[:begin] + cut.instead + piece[piece.index(cut.end) :]
