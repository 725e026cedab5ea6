// spec: §6.8 Calling convention
extern E { E(); }
control C(in E e) { apply { } } //~ ERROR
