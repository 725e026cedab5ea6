// spec: §8.21 Method invocations and function calls
enum bit<8> Level { Low = 0 }
extern void change(inout bit<8> x);
control C(inout Level l) {
    apply { change(l); } //~ ERROR
}
