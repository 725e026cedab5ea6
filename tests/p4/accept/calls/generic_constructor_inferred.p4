// spec: §7.2.11 Type specialization
extern Cell<T> { Cell(T initial); T read(); }
control C(out bit<8> x) {
    Cell<bit<8>>(5) explicit_cell;
    Cell(8w5) inferred_cell;
    apply { x = explicit_cell.read() + inferred_cell.read(); }
}
