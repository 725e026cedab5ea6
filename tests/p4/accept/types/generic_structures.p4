// spec: §7.2.11 Type specialization
struct Tagged<T> { T value; bool fresh; }
struct Wrapped<T> { Tagged<T> s; }
const Tagged<bit<32>> s = { value = 32w0, fresh = false };
const Wrapped<bit<32>> g = { s = { value = 0, fresh = false } };
header One<T> { T value; }
const One<bit<8>> h = { value = 1 };
header_union Either<T> { One<bit<32>> wide; One<bit<8>> narrow; One<T> any; }
control C(inout One<bit<8>>[10] stack, inout Either<bit> hu) {
    apply { stack[3] = h; hu.narrow = stack[3]; }
}
