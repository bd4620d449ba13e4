"""The wire format: plain values arrive exactly, all else as handles, and hostile bytes never.

Frames in the tests are written by hand from the table in the codec's docstring.
"""

import enum
import math
import struct
from collections import OrderedDict, namedtuple
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.sandbox.inside import arrays
from autograder.sandbox.inside.codec import Refused, TooLarge, decode, encode
from autograder.sandbox.inside.decoder import MAX_COLLISIONS, MAX_KEYS
from autograder.sandbox.inside.encoder import MAX_DEPTH, MAX_INT_BYTES, MAX_ITEMS

LIMIT = 1 << 20
MANY = MAX_ITEMS + 1
HANDLE = "handle"


def count(number: int) -> bytes:
    return number.to_bytes(4, "little")


def there(value: object, limit: int = LIMIT) -> bytes:
    return encode(value, lambda kept: (7, type(kept).__name__), limit)


def back(frame: bytes) -> object:
    return decode(frame, lambda number, label: (HANDLE, number, label))


def same(one: object, two: object) -> bool:
    """Equal in value and exact type, all the way down; NaN is itself."""
    if type(one) is not type(two):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict):
        return same(list(one.items()), list(two.items()))
    if isinstance(one, np.ndarray | np.generic):
        return one.dtype == two.dtype and np.array_equal(one, two, equal_nan=one.dtype.kind == "f")
    return one == two or (one != one and two != two)


class Int(int):
    pass


class Array(np.ndarray):
    pass


class Colour(enum.IntEnum):
    RED = 1


@pytest.mark.parametrize(("value", "frame"), [
    (None, b"N"),
    (True, b"T"),
    (-2, b"i" + b"\xfe" + b"\xff" * 7),
    (1 << 64, b"I" + count(9) + bytes(8) + b"\x01"),
    (0.5, b"d" + bytes(6) + b"\xe0\x3f"),
    ("é", b"s" + count(2) + b"\xc3\xa9"),
    (b"ab", b"b" + count(2) + b"ab"),
    ([True, None], b"l" + count(2) + b"TN"),
    ((), b"u" + count(0)),
    ([1, 2, 3, 4], b"Lq" + count(32) + struct.pack("<4q", 1, 2, 3, 4)),
    ((0.5,) * 4, b"Ud" + count(32) + struct.pack("<4d", *[0.5] * 4)),
    ({"a": False}, b"m" + count(1) + b"s" + count(1) + b"a" + b"F"),
    ({None}, b"e" + count(1) + b"N"),
    (frozenset(), b"z" + count(0)),
])
def test_frame_is_as_the_table_says(value, frame):
    """Each kind of value has one form, and that form gives the value back."""
    assert there(value) == frame
    assert same(back(frame), value)


@pytest.mark.parametrize("value", [
    -(1 << 63), 1 << 63, (1 << 4000) - 1, -(1 << 4000), 0.1, -0.0, math.inf, math.nan, "\ud800",
    "\0", [1, 2, 3, 1 << 70], [1, 2.0, True, None, "x"], [[1] * 5, (2.5,) * 5],
    {1: {2: [3]}, (1, "a"): {4}}, {frozenset({1, 2})}, [{}, set(), (), [], "", b""],
    {np.uint32(3): 1},
])
def test_value_comes_back_exactly(value):
    """Types are exact on both sides: a bool stays a bool, a tuple a tuple."""
    assert same(back(there(value)), value)


@pytest.mark.parametrize("name", arrays.DTYPES)
def test_array_and_scalar_keep_their_dtype(name):
    """Every plain dtype crosses in either byte order, and so do its scalars."""
    array = np.array([[0, 1, 1], [1, 0, 1]]).astype(name)
    assert same(back(there(array)), array)
    assert same(back(there(array[0, 1])), array[0, 1])


@pytest.mark.parametrize("array", [
    np.zeros(0), np.zeros((3, 0), np.int8), np.array(5), np.arange(10)[::-3],
    np.arange(6).reshape(2, 3).T, np.broadcast_to(np.float32(2), (4, 5)),
], ids=["empty", "no columns", "no dimension", "strided", "transposed", "broadcast"])
def test_array_arrives_writable_and_its_own(array):
    """Shape and values cross, strides do not."""
    result = back(there(array))
    assert same(result, array)
    assert result.flags.writeable
    assert result.flags.owndata
    assert result.flags.c_contiguous


@pytest.mark.parametrize("value", [
    Int(3), Colour.RED, np.zeros(2).view(Array), namedtuple("P", "x")(1),
    OrderedDict(a=1), 1j, Decimal(1), object(), len, int, range(3), bytearray(b"x"),
    np.array([None]), np.array(["a"]), np.array([1j]), np.datetime64(0, "s"), np.zeros(2, "i4,f4"),
    np.ma.zeros(2),
    np.longdouble(1), np.zeros(2, np.longdouble), 1 << (8 * MAX_INT_BYTES), {Int(3): 1}, {(1, len)},
], ids=lambda value: type(value).__name__)
def test_anything_else_is_a_handle(value):
    """Subclasses, other types, and containers whose keys are not plain stay where they are."""
    assert back(there(value)) == (HANDLE, 7, type(value).__name__)


def test_handle_inside_a_container():
    """An honest list may hold what cannot cross."""
    assert back(there([1, len, {"k": Int(2)}])) == [
        1, (HANDLE, 7, "builtin_function_or_method"), {"k": (HANDLE, 7, "Int")}
    ]


def test_too_deep_is_a_handle():
    """A list that contains itself is cut off at the greatest depth."""
    circle: list[object] = []
    circle.append(circle)
    inner, depth = back(there(circle)), 0
    while type(inner) is list:
        inner, depth = inner[0], depth + 1
    assert (inner, depth) == ((HANDLE, 7, "list"), MAX_DEPTH + 1)


@pytest.mark.parametrize("value", [
    b"x" * LIMIT, "x" * LIMIT, "é" * (LIMIT // 2), [b"x" * 1000] * 2000, list(range(LIMIT // 8)),
    np.zeros(LIMIT, np.int8), np.broadcast_to(np.int8(1), (1 << 30, 1 << 30)),
], ids=["bytes", "str", "accents", "list", "run", "array", "broadcast"])
def test_too_large_is_refused_when_written(value):
    """No frame is longer than the limit."""
    with pytest.raises(TooLarge, match="bytes"):
        there(value)


@pytest.mark.parametrize("value", [[None] * MANY, [[None] * 1000] * 1050], ids=["flat", "nested"])
def test_too_many_items_are_refused_when_written(value):
    """All containers of a frame together hold no more items than are allowed."""
    with pytest.raises(TooLarge, match="items"):
        there(value, 2 * LIMIT)


PLACE = {name: bytes([place]) for place, name in enumerate(arrays.DTYPES)}


def array_frame(dtype: str, *shape: int, data: bytes = b"") -> bytes:
    sizes = b"".join(size.to_bytes(8, "little") for size in shape)
    return b"a" + PLACE[dtype] + bytes([len(shape)]) + sizes + count(len(data)) + data


@pytest.mark.parametrize("frame", [
    b"", b"?", b"NN", b"i123", b"d", b"s" + count(5) + b"abc", b"s" + count(1) + b"\xff",
    b"s" + count((1 << 32) - 1), b"l" + count((1 << 32) - 1), b"l" + count(2) + b"N",
    (b"l" + count(1)) * (MAX_DEPTH + 3) + b"N", (b"l" + count(1)) * 100_000 + b"N",
    b"I" + count(MAX_INT_BYTES + 1) + bytes(MAX_INT_BYTES + 1), b"Lq" + count(7) + bytes(7),
    b"LQ" + count(8) + bytes(8), b"LO" + count(8) + bytes(8), b"l" + count(MANY) + b"N" * MANY,
    b"m" + count(1) + b"l" + count(0) + b"N", b"e" + count(1) + b"m" + count(0),
    b"m" + count(1) + b"N", b"h" + bytes(8), b"a", b"a\xff\x00" + count(0),
    b"a" + PLACE["<i4"] + b"\xff",
    array_frame("<i4", 2, data=bytes(7)), array_frame("<i4", 1, data=bytes(8)),
    array_frame("<i4", 1 << 62, 4), array_frame("<i4", 0, 1 << 62), array_frame("<i4", 0, 1 << 63),
    array_frame("<f8", *[1 << 30] * 3, 0), array_frame("<f8", 1 << 32, 1 << 32),
    array_frame("|b1", 3, data=b"\0\7\1"), b"g" + PLACE["<i4"] + count(3) + bytes(3),
    b"g" + PLACE["|b1"] + count(1) + b"\2", b"g" + PLACE["<i4"] + count(8) + bytes(8),
], ids=lambda frame: repr(bytes(frame[:12]))[2:-1])
def test_hostile_frame_is_refused(frame):
    """Cut short, too long, too deep, too wide, unhashable, or shaped to overflow: never a value."""
    with pytest.raises(Refused):
        back(frame)


def keys(*numbers: int) -> bytes:
    members = (b"I" + count(10) + number.to_bytes(10, "little") for number in numbers)
    return b"e" + count(len(numbers)) + b"".join(members)


def test_keys_that_share_a_hash_are_bounded():
    """Ints that differ by a multiple of 2**61 - 1 hash alike; only a few of them may meet."""
    colliding = [number * ((1 << 61) - 1) for number in range(1, MAX_COLLISIONS + 2)]
    assert back(keys(*colliding[:-1])) == set(colliding[:-1])
    with pytest.raises(Refused, match="collid"):
        back(keys(*colliding))


def test_number_of_keys_is_bounded_but_for_text():
    """The hash of a str is this process's secret; that of anything else is the sender's choice."""
    text = {str(number) for number in range(MAX_KEYS + 1)}
    assert back(there(text, 1 << 24)) == text
    with pytest.raises(Refused, match="too many keys"):
        back(there(set(range(MAX_KEYS + 1)), 1 << 24))


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters()), st.binary()
)
EQUAL = SCALARS.filter(lambda value: value == value)  # NaN is no key that could be found again
KEYS = EQUAL | st.tuples(EQUAL, EQUAL) | st.frozensets(EQUAL, max_size=3)
VALUES = st.recursive(
    SCALARS | st.lists(st.integers(0, 9)) | st.sets(KEYS, max_size=3),
    lambda inner: (
        st.lists(inner, max_size=5) | st.tuples(inner, inner)
        | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=10,
)


@settings(max_examples=100, deadline=None, database=None)
@given(VALUES)
def test_any_plain_value_comes_back(value):
    """What Python can nest of plain types arrives as it was."""
    assert same(back(there(value)), value)


@settings(max_examples=200, deadline=None, database=None)
@given(VALUES, st.data())
def test_damaged_frame_is_a_value_or_refused(value, data):
    """Whatever bytes are changed, cut out or put in, nothing but Refused is ever raised."""
    frame = bytearray(there(value))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(frame)))
        stop = data.draw(st.integers(start, len(frame)))
        frame[start:stop] = data.draw(st.binary(max_size=6))
    try:
        back(bytes(frame))
    except Refused:
        pass
