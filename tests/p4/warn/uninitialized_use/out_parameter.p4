void f(out bit<8> r, in bool c) {
    if (c) { r = r + 1; } //~ WARN `out` parameter `r` is read before it has a value
    r = 0;
}
void g(out bit<8> r, in bool c) {
    if (c) { r = 1; }
    r = r + 1; //~ WARN `r` may be read before it has a value
}
void h(inout bit<8> r, in bool c) {
    if (c) { r = r + 1; }
}
