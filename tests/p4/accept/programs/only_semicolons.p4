// spec: §6.6 P4 programs
;;;
;
