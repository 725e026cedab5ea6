// spec: §8.4 Operations on match_kind types
#include <core.p4>
match_kind { fuzzy }
const bool same = exact == fuzzy;
const match_kind m = lpm;
const bool other = m != fuzzy;
