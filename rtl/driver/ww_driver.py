"""The C interface of the driver (`ww_driver.h`) through ctypes: its structures and functions."""

import ctypes

KINDS = {"direct": 0, "hash": 1, "cam": 2, "ternary": 3, "lpm": 4}
"""The numbers of `enum ww_table_kind`."""

Write = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32)
Read = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32)
)


class Bus(ctypes.Structure):
    """`ww_bus`."""

    _fields_ = [("context", ctypes.c_void_p), ("write", Write), ("read", Read)]


class Info(ctypes.Structure):
    """`ww_table_info`."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("window", ctypes.c_uint32),
        ("kind", ctypes.c_uint32),
        ("entries", ctypes.c_uint32),
        ("key_bits", ctypes.c_uint32),
        ("data_bits", ctypes.c_uint32),
        ("action_bits", ctypes.c_uint32),
        ("number_bits", ctypes.c_uint32),
        ("ways", ctypes.c_uint32),
        ("buckets", ctypes.c_uint32),
        ("stash", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("seed", ctypes.c_uint64),
        ("range_bits", ctypes.c_char_p),
        ("range_low", ctypes.c_char_p),
    ]


class Match(ctypes.Structure):
    """`ww_match`."""

    _fields_ = [
        ("key", ctypes.c_char_p),
        ("mask", ctypes.c_char_p),
        ("prefix_length", ctypes.c_uint32),
        ("priority", ctypes.c_int32),
    ]


_POINTERS = {
    "open": 3,
    "insert": 4,
    "modify": 3,
    "delete": 2,
    "find": 4,
    "clear": 1,
    "set_default": 2,
    "close": 1,
}


def load(path):
    """Loads the driver, compiled as a shared library, and says what its functions take."""
    library = ctypes.CDLL(str(path))
    for name, count in _POINTERS.items():
        function = getattr(library, f"ww_table_{name}")
        function.argtypes = [ctypes.c_void_p] * count
        function.restype = ctypes.c_int
    library.ww_table_close.restype = None
    library.ww_table_count.argtypes = [ctypes.c_void_p]
    library.ww_table_count.restype = ctypes.c_uint32
    library.ww_error_text.argtypes = [ctypes.c_int]
    library.ww_error_text.restype = ctypes.c_char_p
    return library
