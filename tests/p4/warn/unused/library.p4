// no warnings
// Without `main` a file is a library, whose top level others may use.
bit<8> uncalled(in bit<8> a) { return a; }
action top() { }
control Idle(inout bit<8> x) { apply { x = x + 1; } }
