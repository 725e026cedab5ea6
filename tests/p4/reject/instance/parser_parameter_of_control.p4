// spec: §F Restrictions on compile time and run time calls
#include <core.p4>
parser Prs(packet_in b);
control C()(Prs p) { apply { } } //~ ERROR
