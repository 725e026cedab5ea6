// spec: §7.2.6 Tuple types
const tuple<bit<8>, tuple<bool, tuple<>>> t = { 1, { true, { } } };
control C(out bool b, out bit<8> x) {
    tuple<tuple<bit<8>, bit<8>>, bool> u = { { 1, 2 }, false };
    apply { b = t[1][0]; x = u[0][1] + t[0]; b = u == u; }
}
