// spec: §8.18 Operations on headers
control C(out bit<8> x) {
    apply { x = {#}; } //~ ERROR
}
