// spec: §8.7 Operations on fixed-width bit types
control C(inout bool x) {
    apply { x = -x; } //~ ERROR
}
