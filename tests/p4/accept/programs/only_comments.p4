// spec: §6.4.2 Comments
/* nothing here */
// nor here
/** nor
 *  here **/
