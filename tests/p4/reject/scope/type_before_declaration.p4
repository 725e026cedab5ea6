// spec: §6.6.1 Scopes
struct Outer { Inner i; } //~ ERROR inner
struct Inner { bit<8> f; }
