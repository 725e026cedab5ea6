// spec: §7.2.10.2 Extern objects
extern E {
    void E(); //~ ERROR
}
