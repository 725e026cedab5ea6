// spec: §8.18 Operations on headers
header H { bit<8> f; }
control C(inout H h, out bool b) {
    apply { h = {#}; b = h == {#}; h = (H){#}; }
}
