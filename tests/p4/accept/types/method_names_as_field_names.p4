// spec: §7.2.2 Header types
header H { bit<8> isValid; bit<8> setValid; bit<8> minSizeInBits; }
struct S { bit<8> size; bit<8> next; bit<8> last; bit<8> push_front; }
control C(inout H h, inout S s) {
    apply { h.isValid = 1; s.next = h.setValid; s.size = s.last; }
}
