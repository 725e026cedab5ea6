// spec: §6.2 Preprocessing
  #  define   N   1   // a comment
#	ifdef N /* another */
const bit<8> a = N;
   # endif
