// spec: §20.1 Bodies of Unstructured Annotations
@Owner(a (b))) struct S { bit<8> f; } //~ ERROR
