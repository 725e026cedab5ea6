// spec: §6.8 Calling convention
extern E { E(); }
extern void f(out E e); //~ ERROR
