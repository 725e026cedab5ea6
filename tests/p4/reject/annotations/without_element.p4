// spec: §20 Annotations
control C() {
    apply { @Owner("me") } //~ ERROR
}
