// spec: §6.6.1 Scopes
extern void f<T, T>(in T x); //~ ERROR t
