// spec: §13.2 Parser declarations
parser P(in bit<8> x, out bit<8> y) {
    state start { y = x; transition select(x) { 0: reject; _: accept; } }
}
