// spec: §7.2.10.2 Extern objects
extern E {
    E<T>(T x); //~ ERROR
}
