// spec: §13.2 Parser declarations
parser start { //~ ERROR P4_14
    return ingress;
}
