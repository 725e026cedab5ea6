// spec: §11.3.1 Instantiating objects with abstract methods
control C() {
    apply { this.apply(); } //~ ERROR this
}
