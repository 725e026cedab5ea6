// spec: §6.6.1 Scopes
extern E<T> { E(); void put(in T x); }
control C(inout T x) { apply { } } //~ ERROR t
