// spec: §20.3.8 Deprecated annotation
@deprecated extern void f(); //~ ERROR deprecated
