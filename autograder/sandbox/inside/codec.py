"""The wire format between the grader and a worker: plain values, and handles for everything else.

A value crosses only when its type is exactly None, bool, int, float, str, bytes, list, tuple,
dict, set or frozenset (``arrays`` adds NumPy's plain ones). Whatever else there is, subclasses
included, stays where it is and crosses as a handle: a number and a label. Nothing is unpickled
and no class is looked up by name. Decoding trusts nothing: size, depth, number of items, width
of ints and colliding keys are bounded, and bytes that break a rule raise :class:`Refused`.

Each value is one tag byte and what follows it, little-endian; a count is four bytes:

====  ==========================================  ====  ===========================================
N     None                                        l u   list, tuple: count, values
T F   True, False                                 L U   the same of 64-bit ints or floats: q or d,
i     int of 64 bits                                    count of bytes, packed values
I     wider int: count, signed bytes              m     dict: count, keys and values in turn
d     float                                       e z   set, frozenset: count, values
s b   str in UTF-8, bytes: count, bytes           a g   array, scalar: see ``arrays``
h     handle: eight bytes, label as a str
====  ==========================================  ====  ===========================================

Sockets are ``channel``'s business.
"""

from .decoder import Refused, decode
from .encoder import TooLarge, encode

__all__ = ["Refused", "TooLarge", "decode", "encode"]
