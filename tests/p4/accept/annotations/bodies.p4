// spec: §20.1 Bodies of Unstructured Annotations
@empty() @nested(a (b, (c)) d) struct A { bit<8> f; }
@tokens(if else + - * / ; : , . { } [ ] < > &&& .. ++ "string" 8w5 _ table @ ? ~ |+|) struct B { bit<8> f; }
@repeat(1) @repeat(2) @repeat struct C { bit<8> f; }
@apply @key @state @type @priority @entries @actions struct D { bit<8> f; }
