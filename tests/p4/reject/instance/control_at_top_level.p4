// spec: §11.3.2 Restrictions on top-level instantiations
control C() { apply { } }
C() c; //~ ERROR
