// spec: §7.1.5 Strings
control C() {
    apply { string s = "text"; } //~ ERROR string
}
