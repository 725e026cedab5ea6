// spec: §12.2 Empty statement
control C() {
    apply { ; ;; { } {;} if (true) ; else ; }
}
