// spec: §12.7.2 Switch statement with integer or enumerated type expression
control C() {
    apply { switch ("text") { default: { } } } //~ ERROR
}
