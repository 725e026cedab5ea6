// spec: §6.4 Lexical constructs
struct Box<T> { T f; }
const Box<Box<bit<8>>> nested = { f = { f = 1 } };
const Box<tuple<bit<8>, Box<Box<bit<8>>>>> deep = { f = { 1, { f = { f = 2 } } } };
