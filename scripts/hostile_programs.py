"""P4 programs of a given size that take what a compiler does to its limits: deep, wide, doubled at each level, huge.

`FAMILIES` maps a name to a `Family`: `program(n)` gives the source for size n, `most` the largest size that is worth a
try. All are programs for v1model with one header of four bytes. `scripts/hostile.py` runs them.
"""

from dataclasses import dataclass
from typing import Callable


def program(globals_="", headers="", meta="", parser_locals="", start="", states="", locals_="", body="", emit=""):
    """A program for v1model; `parser_locals`, `start` and `states` go into the parser, `locals_` and `body` into ingress."""
    return f"""#include <core.p4>
#include <v1model.p4>
header h_t {{ bit<8> a; bit<8> b; bit<16> c; }}
{globals_}
struct headers_t {{ h_t h; {headers} }}
struct meta_t {{ bit<8> m; bit<32> i; {meta} }}
parser P(packet_in pkt, out headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {{
    {parser_locals}
    state start {{ pkt.extract(hdr.h); {start or "transition accept;"} }}
    {states}
}}
control V(inout headers_t hdr, inout meta_t meta) {{ apply {{ }} }}
control I(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {{
    {locals_}
    apply {{ sm.egress_spec = 1; {body} }}
}}
control E(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {{ apply {{ }} }}
control C(inout headers_t hdr, inout meta_t meta) {{ apply {{ }} }}
control D(packet_out pkt, in headers_t hdr) {{ apply {{ pkt.emit(hdr.h); {emit} }} }}
V1Switch(P(), V(), I(), E(), C(), D()) main;
"""


def lines(n, one, start=0):
    """One line for each number."""
    return "\n".join(one(k) for k in range(start, n))


def joined(n, one, between=", "):
    return between.join(one(k) for k in range(n))


@dataclass(frozen=True)
class Family:
    """Programs of one kind; all sizes from 1 to `most` must be handled within the limits."""

    program: Callable[[int], str]
    most: int
    # Whether a small one is a legal program that every engine can hold.
    legal: bool = True


def nested(n, before, inner, after):
    return before * n + inner + after * n


def deep_calls(n, twice):
    """Functions of which each calls the one before, once or twice."""
    call = "f{0}(x) + f{0}(x)" if twice else "f{0}(x)"
    text = "bit<8> f0(in bit<8> x) { return x + 1; }\n"
    text += lines(n, lambda k: f"bit<8> f{k}(in bit<8> x) {{ return {call.format(k - 1)}; }}", 1)
    return program(globals_=text, body=f"hdr.h.a = f{max(n - 1, 0)}(hdr.h.b);")


def actions_twice(n):
    text = "action a0() { hdr.h.a = hdr.h.a + 1; }\n"
    return program(locals_=text + lines(n, lambda k: f"action a{k}() {{ a{k - 1}(); a{k - 1}(); }}", 1), body=f"a{max(n - 1, 0)}();")


def sub_controls(n, times):
    text = "control c0(inout bit<8> x) { apply { x = x + 1; } }\n"
    text += lines(n, lambda k: f"control c{k}(inout bit<8> x) {{ c{k - 1}() c; apply {{ {'c.apply(x);' * times} }} }}", 1)
    return program(globals_=text, locals_=f"c{max(n - 1, 0)}() c;", body="c.apply(hdr.h.a);")


def sub_parsers(n, times):
    text = "parser p0(packet_in pkt, inout bit<8> x) { state start { x = x + 1; transition accept; } }\n"
    text += lines(
        n, lambda k: f"parser p{k}(packet_in pkt, inout bit<8> x) {{ state start {{ {f'p{k - 1}.apply(pkt, x);' * times} transition accept; }} }}", 1
    )
    return program(globals_=text, start=f"p{max(n - 1, 0)}.apply(pkt, hdr.h.a); transition accept;")


def macros_twice(n):
    text = "#define M0 hdr.h.a = hdr.h.a + 1;\n" + lines(n, lambda k: f"#define M{k} M{k - 1} M{k - 1}", 1)
    return program(globals_="\n" + text + "\n", body=f"M{max(n - 1, 0)}")


def structs_twice(n):
    text = "struct s0 { bit<8> f; }\n" + lines(n, lambda k: f"struct s{k} {{ s{k - 1} a; s{k - 1} b; }}", 1)
    path = ".a" * max(n - 1, 0)
    return program(globals_=text, meta=f"s{max(n - 1, 0)} s;", body=f"meta.s{path}.f = hdr.h.a; hdr.h.b = meta.s{path}.f;")


def nested_structs(n):
    text = "struct s0 { bit<8> f; }\n" + lines(n, lambda k: f"struct s{k} {{ s{k - 1} a; }}", 1)
    path = ".a" * max(n - 1, 0)
    return program(globals_=text, meta=f"s{max(n - 1, 0)} s;", body=f"meta.s{path}.f = hdr.h.a; hdr.h.b = meta.s{path}.f;")


def states_in_a_row(n):
    return program(
        start="transition s0;",
        states=lines(n, lambda k: f"state s{k} {{ meta.m = meta.m + 1; transition {f's{k + 1}' if k + 1 < n else 'accept'}; }}"),
    )


def headers_in_a_row(n):
    """Each state takes a header of one byte, all of which are sent."""
    return program(
        globals_="header g_t { bit<8> z; }",
        headers=lines(n, lambda k: f"g_t x{k};"),
        start="transition s0;",
        states=lines(n, lambda k: f"state s{k} {{ pkt.extract(hdr.x{k}); transition {f's{k + 1}' if k + 1 < n else 'accept'}; }}"),
        emit=lines(n, lambda k: f"pkt.emit(hdr.x{k});"),
    )


def select_of_many(n):
    return program(
        start=f"transition select(hdr.h.c ++ hdr.h.c) {{ {lines(n, lambda k: f'32w{k}: s{k % 8};')} default: accept; }}",
        states=lines(8, lambda k: f"state s{k} {{ meta.m = {k}; transition accept; }}"),
    )


def actions_of_a_table(n):
    text = lines(n, lambda k: f"action a{k}(bit<8> x) {{ hdr.h.a = x + {k % 256}; }}")
    text += f"\ntable t {{ key = {{ hdr.h.c: exact; }} actions = {{ {joined(n, lambda k: f'a{k};', ' ')} NoAction; }} default_action = NoAction; }}"
    return program(locals_=text, body="t.apply();")


def tables(n):
    text = "action a(bit<8> x) { hdr.h.a = x; }\n"
    text += lines(n, lambda k: f"table t{k} {{ key = {{ hdr.h.c: exact; }} actions = {{ a; NoAction; }} default_action = a({k % 256}); }}")
    return program(locals_=text, body=lines(n, lambda k: f"t{k}.apply();"))


def keys_of_a_table(n, kind):
    keys = lines(n, lambda k: f'hdr.h.c: {kind} @name("k{k}");')
    return program(
        locals_=f"action a(bit<8> x) {{ hdr.h.a = x; }} table t {{ key = {{ {keys} }} actions = {{ a; NoAction; }} default_action = a(1); }}",
        body="t.apply();",
    )


def constant_entries(n, kind):
    def entry(k):
        return f"({k & 0xffff}, {k >> 16}) : a({k % 256});" if kind == "exact" else f"({k & 0xffff} &&& 0xffff, {k >> 16}) : a({k % 256});"

    return program(
        locals_=f"action a(bit<8> x) {{ hdr.h.a = x; }} table t {{ key = {{ hdr.h.c: {kind}; meta.i: exact; }} actions = {{ a; NoAction; }} "
        f"const entries = {{ {lines(n, entry)} }} }}",
        body="t.apply();",
    )


def switch_of_many(n):
    return program(body=f"switch (hdr.h.c ++ hdr.h.c) {{ {lines(n, lambda k: f'32w{k}: {{ hdr.h.a = {k % 256}; }}')} default: {{ }} }}")


def headers_of_a_program(n, union):
    kind = "header g_t { bit<8> z; } header_union u_t { h_t x; g_t y; }" if union else ""
    name = "u_t" if union else "h_t"
    return program(globals_=kind, headers=lines(n, lambda k: f"{name} x{k};"), body="" if union else f"hdr.x{n - 1}.setValid();")


def objects(n, kind):
    declarations = {
        "counter": lambda k: f"counter(16, CounterType.packets) o{k};",
        "register": lambda k: f"register<bit<8>>(16) o{k};",
        "meter": lambda k: f"meter(16, MeterType.packets) o{k};",
    }
    uses = {
        "counter": lambda k: f"o{k}.count(1);",
        "register": lambda k: f"o{k}.write(1, hdr.h.a);",
        "meter": lambda k: f"o{k}.execute_meter(1, hdr.h.a);",
    }
    return program(locals_=lines(n, declarations[kind]), body=lines(n, uses[kind]))


def object_of_size(n, kind):
    declarations = {
        "counter": "counter({n}, CounterType.packets_and_bytes) o;",
        "register": "register<bit<64>>({n}) o;",
        "meter": "meter({n}, MeterType.bytes) o;",
    }
    uses = {"counter": "o.count(meta.i);", "register": "o.write(meta.i, 64w1);", "meter": "o.execute_meter(meta.i, hdr.h.a);"}
    return program(locals_=declarations[kind].format(n=n), body=uses[kind])


def stack_of_size(n, what):
    """The stack is parsed and sent, so that no operation on it is dead code."""
    uses = {"push": "hdr.s.push_front(1);", "pop": "hdr.s.pop_front(1);", "index": "hdr.s[meta.i].a = 1; hdr.h.a = hdr.s[meta.i].b;"}
    return program(
        headers=f"h_t[{n}] s;",
        start="transition more;",
        states="state more { pkt.extract(hdr.s.next); transition select(hdr.s.last.a) { 0: more; default: accept; } }",
        body=f"meta.i = (bit<32>)hdr.h.b; {uses[what]}",
        emit="pkt.emit(hdr.s);",
    )


def loop_in_loop(n):
    loops = "".join(f"for (bit<32> i{k} in 32w1 .. 10) {{ " for k in range(n))
    return program(body=f"{loops} hdr.h.a = hdr.h.a + 1; {'}' * n}")


FAMILIES = {
    # Deep: what nests.
    "parentheses": Family(lambda n: program(body=f"hdr.h.a = {nested(n, '(', 'hdr.h.b', ')')};"), 100_000),
    "complements": Family(lambda n: program(body=f"hdr.h.a = {'~' * n}hdr.h.b;"), 100_000),
    "sums": Family(lambda n: program(body=f"hdr.h.a = {joined(n, lambda k: 'hdr.h.b', ' + ')};"), 20_000),
    "conditionals": Family(lambda n: program(body=f"hdr.h.a = {joined(n, lambda k: f'hdr.h.b == {k % 256} ? 8w{k % 256}', ' : ')} : 8w0;"), 20_000),
    "blocks": Family(lambda n: program(body=nested(n, "{ ", "hdr.h.a = 1;", " }")), 100_000),
    "ifs": Family(lambda n: program(body=nested(n, "if (hdr.h.a == hdr.h.b) { ", "hdr.h.a = 1;", " }")), 20_000),
    "else-ifs": Family(lambda n: program(body=joined(n, lambda k: f"if (hdr.h.c == {k % 65536}) {{ hdr.h.a = {k % 256}; }}", " else ")), 20_000),
    "structs": Family(nested_structs, 5_000),
    "tuples": Family(lambda n: program(body=f"{nested(n, 'tuple<', 'bit<8>', '>')} x; hdr.h.a = 1;"), 20_000),
    "typedefs": Family(lambda n: program(globals_="typedef bit<8> t0;\n" + lines(n, lambda k: f"typedef t{k - 1} t{k};", 1), body=f"t{n - 1} x = hdr.h.b; hdr.h.a = x;"), 50_000),
    "constants": Family(lambda n: program(globals_="const bit<8> c0 = 1;\n" + lines(n, lambda k: f"const bit<8> c{k} = c{k - 1} + 1;", 1), body=f"hdr.h.a = c{n - 1};"), 50_000),
    "functions": Family(lambda n: deep_calls(n, False), 3_000),
    "sub-controls": Family(lambda n: sub_controls(n, 1), 3_000),
    "sub-parsers": Family(lambda n: sub_parsers(n, 1), 3_000),
    # Of 20,000, jit takes 7 s of the 10.
    "states": Family(states_in_a_row, 10_000),
    "headers in a row": Family(headers_in_a_row, 4_000),
    "macros": Family(lambda n: program(globals_="\n#define M0 1\n" + lines(n, lambda k: f"#define M{k} M{k - 1}", 1) + "\n", body=f"hdr.h.a = M{n - 1};"), 20_000),
    "#ifs": Family(lambda n: program(globals_="\n" + "#if 1\n" * n + "#endif\n" * n), 50_000),
    # Wide: many of one kind.
    "enum members": Family(lambda n: program(globals_=f"enum e_t {{ {joined(n, lambda k: f'M{k}')} }}"), 100_000),
    "enum values": Family(lambda n: program(globals_=f"enum bit<32> e_t {{ {joined(n, lambda k: f'M{k} = {k}')} }}"), 100_000),
    "errors": Family(lambda n: program(globals_=f"error {{ {joined(n, lambda k: f'E{k}')} }}"), 100_000),
    "mistakes": Family(lambda n: program(body=lines(n, lambda k: f"x{k} = 1;")), 100_000, legal=False),
    "characters": Family(lambda n: program(body="` " * n), 100_000, legal=False),
    "actions": Family(actions_of_a_table, 20_000),
    "tables": Family(tables, 3_000),
    "exact keys": Family(lambda n: keys_of_a_table(n, "exact"), 2_000),
    "ternary keys": Family(lambda n: keys_of_a_table(n, "ternary"), 2_000),
    "exact entries": Family(lambda n: constant_entries(n, "exact"), 50_000),
    "ternary entries": Family(lambda n: constant_entries(n, "ternary"), 20_000),
    "cases": Family(switch_of_many, 20_000),
    "select cases": Family(select_of_many, 20_000),
    "headers": Family(lambda n: headers_of_a_program(n, False), 5_000),
    "unions": Family(lambda n: headers_of_a_program(n, True), 2_000),
    "fields": Family(lambda n: program(globals_=f"header w_t {{ {lines(n, lambda k: f'bit<8> f{k};')} }}", headers="w_t w;", body="hdr.w.f0 = 1;"), 20_000),
    "parameters": Family(
        lambda n: program(locals_=f"action a({joined(n, lambda k: f'bit<8> x{k}')}) {{ hdr.h.a = x0; }} table t {{ key = {{ hdr.h.c: exact; }} actions = {{ a; NoAction; }} default_action = NoAction; }}", body="t.apply();"),
        20_000,
    ),
    "statements": Family(lambda n: program(body="hdr.h.a = hdr.h.a + hdr.h.b;\n" * n), 50_000),
    "annotations": Family(lambda n: program(globals_=lines(n, lambda k: f"@a{k}({k})") + "\nstruct x_t { bit<8> x; }"), 100_000),
    "long name": Family(lambda n: program(body=f"bit<8> x{'x' * n} = hdr.h.b; hdr.h.a = x{'x' * n};"), 1_000_000),
    "long string": Family(lambda n: program(globals_=f'@name("{"x" * n}") struct x_t {{ bit<8> x; }}'), 1_000_000),
    "counters": Family(lambda n: objects(n, "counter"), 5_000),
    "registers": Family(lambda n: objects(n, "register"), 2_000),
    "meters": Family(lambda n: objects(n, "meter"), 1_000),
    # Doubled: each level has the one before twice.
    "functions twice": Family(lambda n: deep_calls(n, True), 60),
    "actions twice": Family(actions_twice, 60),
    "sub-controls twice": Family(lambda n: sub_controls(n, 2), 40),
    "sub-parsers twice": Family(lambda n: sub_parsers(n, 2), 40),
    "macros twice": Family(macros_twice, 60),
    "structs twice": Family(structs_twice, 40),
    # Huge: a number that says how large.
    "counter size": Family(lambda n: object_of_size(n, "counter"), 2**32 - 1),
    "register size": Family(lambda n: object_of_size(n, "register"), 2**32 - 1),
    "meter size": Family(lambda n: object_of_size(n, "meter"), 2**32 - 1),
    "table size": Family(
        lambda n: program(locals_=f"action a() {{ }} table t {{ key = {{ hdr.h.c: exact; }} actions = {{ a; }} size = {n}; default_action = a; }}", body="t.apply();"), 2**32 - 1
    ),
    "stack, push": Family(lambda n: stack_of_size(n, "push"), 70_000),
    "stack, pop": Family(lambda n: stack_of_size(n, "pop"), 70_000),
    "stack, index": Family(lambda n: stack_of_size(n, "index"), 70_000),
    # Declared and never parsed.
    "stack": Family(lambda n: program(headers=f"h_t[{n}] s;", body="hdr.s.push_front(1);"), 2**31),
    "width": Family(lambda n: program(meta=f"bit<{n}> w;", body="meta.w = meta.w + 1; hdr.h.a = meta.w[0:0] == 1 ? 8w1 : 8w2;"), 2**31),
    "product": Family(lambda n: program(meta=f"bit<{n}> w;", body="meta.w = meta.w * meta.w; hdr.h.a = meta.w[0:0] == 1 ? 8w1 : 8w2;"), 4_096),
    "varbit": Family(lambda n: program(globals_=f"header v_t {{ varbit<{8 * n}> v; }}", headers="v_t v;", start="pkt.extract(hdr.v, (bit<32>)hdr.h.b << 3); transition accept;"), 2**27),
    "digits": Family(lambda n: program(body=f"hdr.h.a = (bit<8>){'7' * n};"), 200_000),
    "shift": Family(lambda n: program(body=f"const int x = 1 << {n}; hdr.h.a = (bit<8>)x;"), 2**31),
    "loop": Family(lambda n: program(body=f"for (bit<32> i in 32w1 .. {n}) {{ hdr.h.a = hdr.h.a + 1; }}"), 2**31),
    "loops": Family(loop_in_loop, 12),
    "value set": Family(
        lambda n: program(
            parser_locals=f"value_set<bit<8>>({n}) vs;", start="transition select(hdr.h.a) { vs: s; default: accept; }", states="state s { transition accept; }"
        ),
        2**31,
    ),
    "advance": Family(lambda n: program(start=f"pkt.advance({n}); transition accept;"), 2**32 - 1),
}
