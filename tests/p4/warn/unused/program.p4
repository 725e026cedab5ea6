// With `main` the file is a whole program: what its top level declares is for itself.
bit<8> called(in bit<8> a) { return a; }
bit<8> uncalled(in bit<8> a) { return a; } //~ WARN function `uncalled` is never called
action top() { } //~ WARN action `top` is never used
control Proto(inout bit<8> x);
package Device(Proto p);
control Used(inout bit<8> x) { apply { x = called(x); } }
control Idle(inout bit<8> x) { apply { x = called(x); } } //~ WARN control `Idle` is never instantiated
Device(Used()) main;
