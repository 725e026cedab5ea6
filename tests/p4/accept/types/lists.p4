// spec: §8.15 Operations on lists
struct Route { bit<16> port; bit<32> net; }
extern Loader {
    Loader(list<Route> data);
    void load();
}
extern Names { Names(list<string> n, list<tuple<bit<8>, bool>> m); }
control C() {
    Loader((list<Route>) { { 2, 3 }, { 4, 5 } }) loader;
    Loader((list<Route>) { }) none;
    Names((list<string>) { "a", "b" ++ "c" }, (list<tuple<bit<8>, bool>>) { { 1, true } }) n;
    apply { loader.load(); }
}
