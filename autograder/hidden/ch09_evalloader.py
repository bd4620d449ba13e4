"""Hidden tests of ch09_evalloader: multiple-choice examples, their file, and who is right.

Words and files are made here with ``struct``, as the format says, and rows with Python lists. The
course's twelve questions, their file and their batches stand in ``golden.json``, which was made
without the course's code.

Files lie where the learner's code runs: ``folder`` is a path of that process.
"""

import hashlib
import json
import struct

import numpy as np
import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from autograder.course import root
from autograder.hidden import checks

SMALL = ([5, 6], [[7, 8], [9], [10, 11, 12], [13]], 2)
BY_HAND = [65535, 38, 0, 2, 4, 2, 5, 6, 2, 7, 8, 1, 9, 3, 10, 11, 12, 1, 13]
IDS = st.lists(st.integers(0, 65534), min_size=1, max_size=4)
ANY = st.tuples(IDS, st.lists(IDS, min_size=4, max_size=4), st.integers(0, 3))
FRONT = ("start", "size", "index", "label", "count")


def numbered(n, longest=4):
    """An example whose ids tell its number, whose completions differ in length."""
    lengths = (2, 1, longest, 3)
    completions = [[50 * n + 10 * c + k + 2 for k in range(size)] for c, size in enumerate(lengths)]
    return [50 * n + 1] * (1 + n % 3), completions, n % 4


def words_of(example, index=0, **damaged):
    """The words of an example; some of the five in front may be given others."""
    context, completions, label = example
    body = [len(context), *context]
    for completion in completions:
        body += [len(completion), *completion]
    front = dict(zip(FRONT, (65535, 10 + 2 * len(body), index, label, len(completions)),
                     strict=True))  # fmt: skip
    return [*(front | damaged).values(), *body]


def file_of(rows, **damaged):
    """A file of examples, each a list of words; some words of the header may be others."""
    longest = max((2 * len(row) for row in rows), default=0)
    header = {"magic": 20240522, "version": 1, "count": len(rows), "longest": longest} | damaged
    words = [word for row in rows for word in row]
    return struct.pack("<256i", *header.values(), *[0] * 252) + struct.pack(
        f"<{len(words)}H", *words
    )


def good_file(n=3):
    return file_of([words_of(numbered(k), k) for k in range(n)])


def rows_of(example, T):
    """Inputs, targets and mask as lists: what is asked for stands one to the left."""
    context, completions, _ = example
    inputs, targets, mask = [], [], []
    for completion in completions:
        left, right = len(context) - 1, T - len(context) - len(completion) + 1
        inputs.append([*context, *completion, *[0] * (right - 1)])
        targets.append([0] * left + completion + [0] * right)
        mask.append([False] * left + [True] * len(completion) + [False] * right)
    return inputs, targets, mask


def batch_of(numbers, places, T=16):
    """What a batch with these examples looks like; rows that are not filled are empty."""
    parts = [rows_of(numbered(n), T) for n in numbers]
    empty = [[0] * T] * 4, [[0] * T] * 4, [[False] * T] * 4
    parts += [empty] * (places - len(parts))
    rows = [[row for part in parts for row in part[kind]] for kind in range(3)]
    return [*rows, [n % 4 for n in numbers] + [-1] * (places - len(numbers))]


def present(loader):
    """The batch that a loader has at present."""
    return [loader.inputs.tolist(), loader.targets.tolist(), loader.mask.tolist(),
            loader.label.tolist()]  # fmt: skip


def fields(example):
    return example.context, example.completions, example.label


def masked(*counts, T=6):
    """A mask with as many places in each row, from place 1 on."""
    return np.array([[1 <= t <= count for t in range(T)] for count in counts])


def lossy(mask, *rows, fill=0.0):
    """Losses with these values at the masked places of each row."""
    losses = np.full(mask.shape, fill)
    for row, values in enumerate(rows):
        losses[row, mask[row]] = values
    return losses


@pytest.fixture
def made(Example):
    """An Example in the learner's process."""

    def make(parts):
        context, completions, label = parts
        return Example(context, completions, label)

    return make


@pytest.fixture
def twelve(folder):
    """A file of the examples 0 to 11."""
    path = folder.joinpath("twelve.bin")
    path.write_bytes(good_file(12))
    return path


@pytest.fixture
def questions():
    """The course's twelve questions, ids being bytes."""
    path = root() / "fixtures" / "ch09_evalloader" / "questions.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        (
            list(row["ctx"].encode()),
            [list(f" {ending}".encode()) for ending in row["endings"]],
            row["label"],
        )
        for row in rows
    ]


# -- pack_example -----------------------------------------------------------------------------


@checks("pack_example", kind="unit", why="the words that were worked out with pencil and paper")
def test_words_by_hand(pack_example, made):
    """The small example is the 19 words by hand, in an array of uint16."""
    got = pack_example(made(SMALL), 0)

    assert str(got.dtype) == "uint16"
    assert got.tolist() == BY_HAND


@checks("pack_example", kind="property", why="ids, lengths and indices of any size are words")
@examples(ANY, st.integers(0, 65534))
@settings(max_examples=25)
def test_any_words(pack_example, made, example, index):
    """Any example is its five words, its context and its completions, each after its length."""
    assert pack_example(made(example), index).tolist() == words_of(example, index)


@checks("pack_example", kind="fault", why="a word that wraps around is another token")
@pytest.mark.parametrize("token", [65535, 65536, 70000, 2**40, -1])
@pytest.mark.parametrize("place", [0, 1, 4])
def test_ids_that_are_no_words(pack_example, made, token, place):
    """An id below 0 or above 65534, in context or completions, is a ValueError that names the
    index."""
    parts = [[1, 2], [3], [4, 5], [6], [7]]
    parts[place][-1] = token
    with pytest.raises(ValueError, match=r"(?<!\d)41(?!\d)"):
        pack_example(made((parts[0], parts[1:], 0)), 41)


@checks("pack_example", kind="boundary", why="65535 begins an example, so 65534 is the last id")
def test_last_id(pack_example, made):
    """The ids 0 and 65534 can be written."""
    example = ([0, 65534], [[65534], [0], [1], [2]], 3)

    assert pack_example(made(example), 7).tolist() == words_of(example, 7)


@checks("pack_example", kind="fault", why="the loss of nothing is nothing, and would always win")
@pytest.mark.parametrize("place", [0, 1, 2, 4])
def test_empty_parts(pack_example, made, place):
    """A context or completion without ids is a ValueError that names the index."""
    parts = [[1, 2], [3], [4, 5], [6], [7]]
    parts[place] = []
    with pytest.raises(ValueError, match=r"(?<!\d)41(?!\d)"):
        pack_example(made((parts[0], parts[1:], 0)), 41)


@checks("pack_example", kind="boundary", why="llm.c takes four completions and nothing else")
@pytest.mark.parametrize(("count", "label"), [(3, 0), (5, 0), (0, 0), (4, 4), (4, -1), (5, 4)])
def test_four_completions(pack_example, made, count, label):
    """Other than four completions, or a label other than 0 to 3, is a ValueError that names the
    index."""
    with pytest.raises(ValueError, match=r"(?<!\d)41(?!\d)"):
        pack_example(made(([1], [[2]] * count, label)), 41)


@checks("pack_example", kind="boundary", why="the number of bytes is a word itself")
def test_longest_example(pack_example, made):
    """65534 bytes can be written; 65536 are a ValueError that names the index."""
    fits = [9] * 32753, [[1], [2], [3], [4]], 0

    assert pack_example(made(fits), 0)[:6].tolist() == [65535, 65534, 0, 0, 4, 32753]
    with pytest.raises(ValueError, match=r"(?<!\d)41(?!\d)"):
        pack_example(made(([9] * 32754, *fits[1:])), 41)


@checks("pack_example", kind="boundary", why="65535 begins an example, and more is no word")
@pytest.mark.parametrize("index", [65535, 65536, 70000])
def test_last_index(pack_example, made, index):
    """The index 65534 can be written; a larger one is a ValueError that names it."""
    assert pack_example(made(SMALL), 65534)[2] == 65534
    with pytest.raises(ValueError, match=rf"(?<!\d){index}(?!\d)"):
        pack_example(made(SMALL), index)


# -- write_evalfile ---------------------------------------------------------------------------


@checks("write_evalfile", kind="unit", why="the file that was worked out with pencil and paper")
def test_file_by_hand(write_evalfile, made, folder):
    """The small example alone: 1062 bytes, header 20240522, 1, 1, 38, zeros, then its words."""
    path = folder.joinpath("e.bin")
    write_evalfile(path, [made(SMALL)])
    got = path.read_bytes()

    assert len(got) == 1062
    assert list(struct.unpack("<256i", got[:1024])) == [20240522, 1, 1, 38] + [0] * 252
    assert list(struct.unpack("<19H", got[1024:])) == BY_HAND


@checks("write_evalfile", kind="conformance", why="llm.c reserves its buffer by the fourth word")
@pytest.mark.parametrize("longest", [0, 1, 2])
def test_longest_in_the_header(write_evalfile, made, folder, longest):
    """Each example has its place as its index, and the header has the bytes of the longest one,
    wherever it stands."""
    parts = [numbered(n, 40 if n == longest else 2) for n in range(3)]
    write_evalfile(folder.joinpath("e.bin"), [made(each) for each in parts])
    data = folder.joinpath("e.bin").read_bytes()

    assert data == file_of([words_of(each, n) for n, each in enumerate(parts)])


@checks("write_evalfile", kind="golden", why="this exam is used in the chapter")
def test_exam_file(write_evalfile, made, folder, questions, golden):
    """The course's twelve questions make the file that is known by its hash."""
    write_evalfile(folder.joinpath("exam.bin"), [made(each) for each in questions])
    data = folder.joinpath("exam.bin").read_bytes()

    assert len(data) == golden["file"]["bytes"]
    assert hashlib.sha256(data).hexdigest() == golden["file"]["sha256"]


@checks("write_evalfile", kind="fault", why="half an exam is worse than none")
@pytest.mark.parametrize("place", [0, 2])
def test_refused_examples(write_evalfile, made, folder, place):
    """An example that does not fit is a ValueError that names its place; an old file stays as it
    was, and no other is left."""
    path = folder.joinpath("e.bin")
    path.write_bytes(b"old")
    parts = [numbered(n) for n in range(3)]
    parts[place] = ([1], [[2], [], [3], [4]], 0)
    with pytest.raises(ValueError, match=rf"(?<!\d){place}(?!\d)"):
        write_evalfile(path, [made(each) for each in parts])

    assert path.read_bytes() == b"old"
    assert [each.name for each in folder.iterdir()] == ["e.bin"]


@checks("write_evalfile", kind="boundary", why="no example is the longest one")
def test_empty_list(write_evalfile, folder):
    """An empty list is a ValueError that says "no examples", and no file is written."""
    with pytest.raises(ValueError, match="no examples"):
        write_evalfile(folder.joinpath("e.bin"), [])
    assert [each.name for each in folder.iterdir()] == []


# -- unpack_example ---------------------------------------------------------------------------


@checks("unpack_example", kind="unit", why="the words that were worked out with pencil and paper")
def test_example_by_hand(unpack_example):
    """The 19 words by hand give back the small example, in lists of ints."""
    assert fields(unpack_example(BY_HAND)) == SMALL


@checks("unpack_example", kind="property", why="what is read is what was asked")
@examples(ANY, st.integers(0, 65534))
@settings(max_examples=25)
def test_any_example(unpack_example, example, index):
    """The words of any example, with any index, give it back."""
    assert fields(unpack_example(words_of(example, index))) == example


@checks("unpack_example", kind="fault", why="somebody may have begun to read in the middle")
@pytest.mark.parametrize("words", [
    words_of(SMALL, start=65534), words_of(SMALL, start=0), [0, *words_of(SMALL, size=40)],
    words_of(([5, 65535], SMALL[1], 2)), words_of(([5], [[6], [7], [8], [65535]], 2)),
], ids=["65534", "0", "shifted", "in context", "in completion"])
def test_start_is_first_and_only(unpack_example, words):
    """Where the first word is not 65535, or another one is, a ValueError is raised."""
    with pytest.raises(ValueError, match=r"."):
        unpack_example(words)


@checks("unpack_example", kind="fault", why="a reader that skips by bytes would go astray")
@pytest.mark.parametrize("size", [0, 19, 36, 37, 39, 40, 76])
def test_wrong_number_of_bytes(unpack_example, size):
    """A number of bytes other than twice that of the words is a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        unpack_example(words_of(SMALL, size=size))


@checks("unpack_example", kind="fault", why="a file may end anywhere")
@pytest.mark.parametrize("length", range(19))
def test_cut_examples(unpack_example, length):
    """The beginning of an example is a ValueError, with its number of bytes put right, too."""
    words = BY_HAND[:length]
    words[1:2] = [2 * length] * len(words[1:2])
    with pytest.raises(ValueError, match=r"."):
        unpack_example(words)


@checks("unpack_example", kind="fault", why="lengths are what everything else hangs on")
@pytest.mark.parametrize(("place", "length"), [(5, 3), (8, 3), (11, 2), (17, 2), (13, 2), (17, 0),
                                               (5, 0), (11, 0), (17, 65534)])
def test_wrong_lengths(unpack_example, place, length):
    """Lengths that leave words over, lead beyond the end or are zero are a ValueError."""
    words = [*BY_HAND]
    words[place] = length
    with pytest.raises(ValueError, match=r"."):
        unpack_example(words)


@checks("unpack_example", kind="fault", why="the loss of nothing is nothing, and would always win")
@pytest.mark.parametrize("words", [
    words_of(([], *SMALL[1:])), words_of(([5], [[], [6], [7], [8]], 2)),
    words_of(([5], [[6], [7], [8], []], 2)), words_of(([], [[], [], [], []], 2)),
], ids=["context", "first", "last", "all"])
def test_parts_without_ids(unpack_example, words):
    """A context or completion without ids is a ValueError, though all lengths are right."""
    with pytest.raises(ValueError, match=r"."):
        unpack_example(words)


@checks("unpack_example", kind="fault", why="they would be ids that nobody reads")
@pytest.mark.parametrize("more", [[1], [0], [1, 14], [0, 0, 0]])
def test_words_left_over(unpack_example, more):
    """Words after the last completion are a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        unpack_example([*words_of(SMALL, size=38 + 2 * len(more)), *more])


@checks("unpack_example", kind="boundary", why="a right answer that does not exist is never found")
@pytest.mark.parametrize("words", [
    words_of(SMALL, label=4), words_of(SMALL, label=65534), words_of(SMALL, count=3),
    words_of(SMALL, count=5), words_of(SMALL, count=0), words_of(([1], [[2]] * 3, 0)),
    words_of(([1], [[2]] * 5, 4)),
], ids=["label 4", "label 65534", "says 3", "says 5", "says 0", "has 3", "has 5"])
def test_label_and_completions(unpack_example, words):
    """Other than four completions, or a label above 3, is a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        unpack_example(words)


# -- parse_evalfile ---------------------------------------------------------------------------


@checks("parse_evalfile", kind="unit", why="the file that was worked out with pencil and paper")
def test_parse_by_hand(parse_evalfile):
    """The 1062 bytes by hand are a list of the small example alone."""
    assert [fields(each) for each in parse_evalfile(file_of([BY_HAND]))] == [SMALL]


@checks("parse_evalfile", kind="property", why="what is read is what was asked")
@examples(st.lists(ANY, min_size=1, max_size=5))
@settings(max_examples=20)
def test_any_file(parse_evalfile, parts):
    """A file of any examples gives them back, in order."""
    data = file_of([words_of(each, n) for n, each in enumerate(parts)])

    assert [fields(each) for each in parse_evalfile(data)] == parts


@checks("parse_evalfile", kind="golden", why="this exam is used in the chapter")
def test_exam_examples(parse_evalfile, questions, golden):
    """The file of the course's questions gives them back."""
    data = file_of([words_of(each, n) for n, each in enumerate(questions)])

    assert hashlib.sha256(data).hexdigest() == golden["file"]["sha256"]
    assert [fields(each) for each in parse_evalfile(data)] == questions


@checks("parse_evalfile", kind="boundary", why="the words beyond the fourth have no meaning yet")
def test_rest_of_the_header(parse_evalfile):
    """Words 4 to 255 of the header may hold anything."""
    data = file_of([BY_HAND])
    parsed = parse_evalfile(data[:16] + b"\xff" * 1008 + data[1024:])

    assert [fields(each) for each in parsed] == [SMALL]


@checks("parse_evalfile", kind="fault", why="any file may come here by mistake")
@pytest.mark.parametrize(("damaged", "named"), [
    ({"magic": 20240520}, 20240520), ({"magic": 0}, 0), ({"version": 0}, 0), ({"version": 2}, 2),
    ({"count": 0}, 0), ({"count": -1}, -1),
])
def test_other_headers(parse_evalfile, damaged, named):
    """Another magic number, version, or fewer than one example is a ValueError that names it."""
    data = file_of([words_of(numbered(1), 0)], **damaged)
    with pytest.raises(ValueError, match=rf"(?<![\d-]){named}(?!\d)"):
        parse_evalfile(data)


@checks("parse_evalfile", kind="fault", why="a download may stop anywhere")
@pytest.mark.parametrize("size", [0, 1, 15, 16, 1022, 1023, 1025, 1031])
def test_no_whole_words(parse_evalfile, size):
    """Fewer bytes than a header has, or an odd number of them, are a ValueError that says how
    many."""
    with pytest.raises(ValueError, match=rf"(?<!\d){size}(?!\d)"):
        parse_evalfile(good_file()[:size])


@checks("parse_evalfile", kind="fault", why="so that one knows how much of the file is good")
@pytest.mark.parametrize(("keep", "named"), [(0, 0), (1, 0), (10, 0), (19, 1), (20, 1), (21, 1),
                                             (38, 2), (-1, 2)])
def test_missing_words(parse_evalfile, keep, named):
    """The message names the first example that is not there whole, by its place."""
    rows = [words_of(SMALL, n) for n in range(3)]
    data = file_of(rows)
    data = data[: 1024 + 2 * keep] if keep >= 0 else data[: 2 * keep]
    with pytest.raises(ValueError, match=rf"(?<!\d){named}(?!\d)"):
        parse_evalfile(data)


@checks("parse_evalfile", kind="fault", why="examples in another order have other answers")
@pytest.mark.parametrize("indices", [(1, 1, 2), (0, 0, 2), (0, 1, 1), (0, 1, 7)])
def test_indices_are_places(parse_evalfile, indices):
    """An example whose index is not its place is a ValueError that names the place."""
    data = file_of([words_of(SMALL, index) for index in indices])
    place = next(n for n, index in enumerate(indices) if n != index)
    with pytest.raises(ValueError, match=rf"(?<!\d){place}(?!\d)"):
        parse_evalfile(data)


@checks("parse_evalfile", kind="fault", why="one damaged example damages the mark")
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("damaged", [{"label": 4}, {"start": 1}, {"size": 36}, {"count": 5}])
def test_damaged_example(parse_evalfile, place, damaged):
    """An example that is damaged is a ValueError that names it by its place."""
    rows = [words_of(SMALL, n, **(damaged if n == place else {})) for n in range(3)]
    with pytest.raises(ValueError, match=rf"(?<!\d){place}(?!\d)"):
        parse_evalfile(file_of(rows))


@checks("parse_evalfile", kind="fault", why="two files in one are none")
@pytest.mark.parametrize("more", [b"\0\0", b"\xff\xff", struct.pack("<19H", *words_of(SMALL, 3))])
def test_more_than_the_examples(parse_evalfile, more):
    """Whatever follows the last example is a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        parse_evalfile(good_file() + more)


@checks("parse_evalfile", kind="fault", why="in C the buffer would be too small")
@pytest.mark.parametrize("longest", [0, 36, 40, -38, 19])
def test_longest_is_true(parse_evalfile, longest):
    """A fourth word that is not the bytes of the longest example is a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        parse_evalfile(file_of([BY_HAND], longest=longest))


# -- render_example ---------------------------------------------------------------------------


@checks("render_example", kind="unit", why="the rows that were worked out with pencil and paper")
def test_rows_by_hand(render_example, made):
    """Inputs, targets and mask of the small example with T = 8 are those of the table."""
    inputs, targets, mask = render_example(made(SMALL), 8)

    assert (inputs.tolist(), targets.tolist(), mask.tolist()) == rows_of(SMALL, 8)
    assert targets.tolist()[2] == [0, 10, 11, 12, 0, 0, 0, 0]


@checks("render_example", kind="conformance", why="PyTorch's embedding layers want int64")
def test_kinds_of_arrays(render_example, made):
    """Inputs and targets are int64, the mask is bool, and all have the shape (4, T)."""
    got = render_example(made(SMALL), 20)

    assert [str(each.dtype) for each in got] == ["int64", "int64", "bool"]
    assert [each.shape for each in got] == [(4, 20)] * 3


@checks("render_example", kind="property", why="a mask one place off still looks like a mask")
@examples(ANY, st.integers(0, 3))
@settings(max_examples=30)
def test_any_rows(render_example, made, example, more):
    """For any example: the target of a masked place is the input one to the right."""
    context, completions, _ = example
    T = len(context) + max(map(len, completions)) + 1 + more
    inputs, targets, mask = render_example(made(example), T)

    assert (inputs.tolist(), targets.tolist(), mask.tolist()) == rows_of(example, T)


@checks("render_example", kind="boundary", why="llm.c wants fewer than T ids in each row")
@pytest.mark.parametrize("longest", [0, 1, 2, 3])
def test_length_of_rows(render_example, made, longest):
    """Context and completion may have T - 1 ids; with T or more, a ValueError names both."""
    completions = [[1], [2], [3], [4]]
    completions[longest] = [9] * 5
    example = made(([7] * 6, completions, 0))

    assert render_example(example, 12)[2].sum(axis=1).tolist()[longest] == 5
    for T in (11, 10):
        with pytest.raises(ValueError, match=r"(?<!\d)11(?!\d)") as raised:
            render_example(example, T)
        assert str(T) in str(raised.value)


@checks("render_example", kind="golden", why="made in another way: tokens and marks, then shifted")
def test_exam_rows(render_example, made, questions, golden):
    """The rows of the course's questions with T = 128 have the sums that are known."""
    places = np.arange(1, 129)
    got = {"inputs": [], "targets": [], "mask": []}
    for question in questions:
        for name, rows in zip(got, render_example(made(question), 128), strict=True):
            got[name] += (rows * places).sum(axis=1).tolist()

    assert got == golden["batch"]


# -- count_correct ----------------------------------------------------------------------------


@checks("count_correct", kind="unit", why="the means that were worked out with pencil and paper")
@pytest.mark.parametrize("label", [0, 1, 2, 3])
def test_means_by_hand(count_correct, label):
    """Of the means 2.5, 2.4, 2.0 and 2.25 the third is lowest: 1 for label 2, else 0."""
    mask = masked(2, 1, 3, 1)
    losses = lossy(mask, [2, 3], 2.4, [2, 2, 2], 2.25)

    assert count_correct(losses, mask, np.array([label])) == int(label == 2)


@checks("count_correct", kind="boundary", why="argmin takes the first, and so does llm.c")
@pytest.mark.parametrize(("means", "wanted"), [
    ((1, 1, 1, 1), 0), ((2, 1, 1, 1), 1), ((2, 2, 1, 1), 2), ((0, 0, 0, 0), 0), ((3, 1, 3, 1), 1),
])
def test_equal_means(count_correct, means, wanted):
    """Of equal means the first one counts."""
    mask = masked(1, 2, 3, 4)
    losses = lossy(mask, *means)

    assert [count_correct(losses, mask, np.array([label])) for label in range(4)] == [
        int(label == wanted) for label in range(4)
    ]


@checks("count_correct", kind="fault", why="what stands after a row's end is left over from before")
@pytest.mark.parametrize("fill", [-9.0, 99.0, np.inf, -np.inf, np.nan])
def test_outside_the_mask(count_correct, fill):
    """Losses outside the mask may be anything, nan and inf too."""
    mask = masked(2, 1, 3, 1)
    losses = lossy(mask, [2, 3], 2.4, [2, 2, 2], 2.25, fill=fill)
    right = count_correct(losses, mask, np.array([2]))

    assert right == 1


@checks("count_correct", kind="unit", why="it fills up the last batch")
@pytest.mark.parametrize("label", [-1, 0, 1, 2, 3])
@pytest.mark.parametrize("fill", [0.0, -1.0, np.nan])
def test_padding(count_correct, label, fill):
    """An example without a masked place is never right, whatever its label and losses."""
    mask = np.concatenate([masked(0, 0, 0, 0), masked(1, 1, 1, 1), masked(0, 0, 0, 0)])
    losses = lossy(mask, *[0] * 4, 2, 1, 2, 2, fill=fill)

    assert count_correct(losses, mask, np.array([label, 1, label])) == 1


@checks("count_correct", kind="fault", why="a broken model has no opinion")
@pytest.mark.parametrize("row", [0, 1, 2, 3])
def test_not_a_number(count_correct, row):
    """An example with a mean that is nan is not right; its neighbours may be."""
    mask = masked(2, 2, 2, 2, 2, 2, 2, 2)
    losses = lossy(mask, 1, 1, 1, 1, 1, 2, 3, 4)
    losses[row, 2] = np.nan

    assert [count_correct(losses, mask, np.array([label, 0])) for label in range(4)] == [1] * 4


@checks("count_correct", kind="boundary", why="an impossible ending has an infinite loss")
def test_infinite_losses(count_correct):
    """A mean of inf is higher than all others."""
    mask = masked(1, 2, 1, 1)
    losses = lossy(mask, np.inf, [np.inf, 0], 5, 4)

    assert count_correct(losses, mask, np.array([3])) == 1


@checks("count_correct", kind="property", why="a sum and a mean agree on most examples")
@examples(st.integers(0, 2**32 - 1), st.integers(1, 5))
@settings(max_examples=25)
def test_any_losses(count_correct, seed, n):
    """For any losses, masks and labels: the count of examples with the lowest mean at the
    label."""
    draw = np.random.default_rng(seed)
    mask = masked(*draw.integers(1, 6, 4 * n), T=8)
    losses = draw.exponential(size=mask.shape).astype(np.float32)
    labels = draw.integers(0, 4, n)
    wanted = 0
    for k in range(n):
        means = [float(np.mean(losses[4 * k + c][mask[4 * k + c]], dtype=np.float64))
                 for c in range(4)]  # fmt: skip
        wanted += means.index(min(means)) == labels[k]

    assert count_correct(losses, mask, labels) == wanted


@checks("count_correct", kind="golden", why="counted in plain Python, with statistics.fmean")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_exam_counts(count_correct, questions, golden, seed):
    """Of the course's questions with random losses as many are right as is known."""
    rows = [rows_of(question, 128) for question in questions]
    mask = np.array([row for each in rows for row in each[2]])
    losses = np.random.RandomState(seed).rand(48, 128)
    labels = np.array([label for *_, label in questions])

    assert count_correct(losses, mask, labels) == golden["correct"][str(seed)]


# -- examples_of_rank -------------------------------------------------------------------------


@checks("examples_of_rank", kind="unit", why="the shares that were worked out by hand")
def test_shares_by_hand(examples_of_rank):
    """12 examples for 5 processes: three each, and nothing for the last."""
    got = [examples_of_rank(12, rank, 5) for rank in range(5)]

    assert got == [(0, 3), (3, 6), (6, 9), (9, 12), (12, 12)]


@checks("examples_of_rank", kind="boundary", why="the last shares run out of examples")
@pytest.mark.parametrize(("n", "ranks", "wanted"), [
    (9, 8, [(0, 2), (2, 4), (4, 6), (6, 8), (8, 9), (9, 9), (9, 9), (9, 9)]),
    (10, 4, [(0, 3), (3, 6), (6, 9), (9, 10)]),
    (8, 4, [(0, 2), (2, 4), (4, 6), (6, 8)]),
    (1, 1, [(0, 1)]),
    (10042, 1, [(0, 10042)]),
])
def test_last_ranks_are_short(examples_of_rank, n, ranks, wanted):
    """No share goes beyond the end, and those that begin there are empty."""
    assert [examples_of_rank(n, rank, ranks) for rank in range(ranks)] == wanted


@checks("examples_of_rank", kind="property", why="a question asked twice counts twice")
@examples(st.integers(1, 300), st.integers(1, 20))
@settings(max_examples=40)
def test_every_example_once(examples_of_rank, n, ranks):
    """The shares of all ranks are all examples, each once, and none is larger than n / ranks
    rounded up."""
    shares = [examples_of_rank(n, rank, ranks) for rank in range(ranks)]

    assert [k for start, end in shares for k in range(start, end)] == list(range(n))
    assert max(end - start for start, end in shares) == (n + ranks - 1) // ranks


# -- EvalLoader -------------------------------------------------------------------------------


@checks("EvalLoader", kind="unit", why="the batches that were worked out by hand")
def test_loader_by_hand(EvalLoader, twelve):
    """Rank 1 of two with B = 20: 6 to 10, then 11 alone, in two batches."""
    loader = EvalLoader(twelve, 20, 16, 1, 2)

    assert (loader.num_examples, loader.num_batches) == (12, 2)
    assert (loader.start_example_index, loader.end_example_index) == (6, 12)
    loader.next_batch()
    assert present(loader) == batch_of(range(6, 11), 5)
    loader.next_batch()
    assert present(loader) == batch_of([11], 5)


@checks("EvalLoader", kind="unit", why="a model's first step looks at them")
def test_new_loader(EvalLoader, twelve):
    """A new loader has its arguments, stands at its first example, and has an empty batch."""
    loader = EvalLoader(twelve, 8, 17, 2, 3)

    assert (loader.B, loader.T, loader.process_rank, loader.num_processes) == (8, 17, 2, 3)
    assert loader.current_example_index == 8
    assert present(loader) == batch_of([], 2, 17)
    assert [str(each.dtype) for each in (loader.inputs, loader.targets, loader.mask, loader.label)
            ] == ["int64", "int64", "bool", "int64"]  # fmt: skip


@checks("EvalLoader", kind="property", why="an exam is marked right only if all of it is asked")
@examples(st.integers(1, 12), st.integers(1, 5), st.integers(1, 12))
@settings(max_examples=20)
def test_all_ranks_together(EvalLoader, folder, n, places, ranks):
    """Over num_batches batches the ranks together read every example once, in order, and all have
    the same number of batches."""
    ranks = min(ranks, n)
    folder.joinpath("e.bin").write_bytes(good_file(n))
    seen, steps = [], set()
    for rank in range(ranks):
        loader = EvalLoader(folder.joinpath("e.bin"), 4 * places, 16, rank, ranks)
        number = loader.num_batches
        steps.add(number)
        for _ in range(number):
            firsts = loader.next_batch()[0][::4, 0].tolist()
            seen += [first // 50 for first in firsts if first]

    each = (n + ranks - 1) // ranks
    assert steps == {(each + places - 1) // places}
    assert seen == list(range(n))


@checks("EvalLoader", kind="unit", why="a training loop hands them to the model")
def test_what_next_batch_returns(EvalLoader, twelve):
    """next_batch returns the batch's inputs and targets."""
    loader = EvalLoader(twelve, 8, 16)
    got = loader.next_batch()

    assert [each.tolist() for each in got] == batch_of([0, 1], 2)[:2]


@checks("EvalLoader", kind="fault", why="examples left over from before would count twice")
def test_nothing_left_over(EvalLoader, twelve):
    """A batch that is not full is empty where it has no example; after the last one all are."""
    loader = EvalLoader(twelve, 20, 16)
    got = []
    for _ in range(4):
        loader.next_batch()
        got.append(present(loader))

    assert got == [batch_of(each, 5) for each in (range(5), range(5, 10), [10, 11], [])]
    assert loader.current_example_index == 12


@checks("EvalLoader", kind="unit", why="an exam is taken again after each thousand steps")
@pytest.mark.parametrize("rank", [0, 1, 4])
def test_reset_goes_to_the_first(EvalLoader, twelve, rank):
    """reset goes back to this rank's first example and leaves the present batch alone."""
    loader = EvalLoader(twelve, 8, 16, rank, 5)
    loader.next_batch()
    first = present(loader)
    loader.next_batch()
    second = present(loader)
    loader.reset()

    assert present(loader) == second
    assert loader.current_example_index == min(3 * rank, 12)
    loader.next_batch()
    assert present(loader) == first


@checks("EvalLoader", kind="unit", why="the batch is made of them")
def test_example_in_its_place(EvalLoader, twelve):
    """next_example_ fills its four rows and its label, leaves all others alone and moves on."""
    loader = EvalLoader(twelve, 12, 16)
    loader.next_example_(2)
    loader.next_example_(0)
    got, wanted = present(loader), batch_of([1, 0], 3)

    rows = [*range(4), *range(8, 12), *range(4, 8)]  # of the batch with 0 in the last place
    assert [[part[row] for row in rows] for part in got[:3]] == wanted[:3]
    assert got[3] == [1, -1, 0]
    assert loader.current_example_index == 2


@checks("EvalLoader", kind="boundary", why="rows beyond the batch belong to nobody")
@pytest.mark.parametrize("place", [2, 3, -1, -2, 7])
def test_no_such_place(EvalLoader, twelve, place):
    """A place that the batch has not is a ValueError that names it, and no example is used up."""
    loader = EvalLoader(twelve, 8, 16)
    with pytest.raises(ValueError, match=rf"(?<![\d-]){place}(?!\d)"):
        loader.next_example_(place)

    assert loader.current_example_index == 0


@checks("EvalLoader", kind="boundary", why="the next example belongs to another rank")
def test_no_example_left(EvalLoader, twelve):
    """At the end of this rank's share, next_example_ is a ValueError."""
    loader = EvalLoader(twelve, 4, 16, 0, 6)
    loader.next_example_(0)
    loader.next_example_(0)
    with pytest.raises(ValueError, match=r"."):
        loader.next_example_(0)


@checks("EvalLoader", kind="unit", why="the accuracy is the sum of these counts")
def test_statistics(EvalLoader, twelve):
    """stat_losses counts right answers in the present batch; empty places never count."""
    loader = EvalLoader(twelve, 20, 16)
    losses = np.ones((20, 16))
    losses[[0, 7, 10, 14, 16]] = 0.5  # completions 0, 3, 2, 2, 0 of the five places
    counts = [loader.stat_losses(losses)]
    for _ in range(4):
        loader.next_batch()
        counts.append(loader.stat_losses(losses))

    assert counts == [0, 3, 0, 1, 0]


@checks("EvalLoader", kind="fault", why="losses of another shape would be read from wrong rows")
@pytest.mark.parametrize("shape", [(8, 15), (4, 16), (128,), (16, 8), (8, 1), (1, 16)])
def test_shape_of_losses(EvalLoader, twelve, shape):
    """Losses that have not the shape (B, T) are a ValueError."""
    loader = EvalLoader(twelve, 8, 16)
    loader.next_batch()
    with pytest.raises(ValueError, match=r"."):
        loader.stat_losses(np.ones(shape))


@checks("EvalLoader", kind="boundary", why="half an example is no example")
@pytest.mark.parametrize("B", [0, 1, 2, 3, 5, 6, 7, 10, -4])
def test_rows_in_fours(EvalLoader, twelve, B):
    """A B that is not 4, 8, 12, ... is a ValueError that names it."""
    with pytest.raises(ValueError, match=rf"(?<![\d-]){B}(?!\d)"):
        EvalLoader(twelve, B, 16)


@checks("EvalLoader", kind="boundary", why="better now than in the middle of the night")
def test_every_example_fits(EvalLoader, folder):
    """If any example of the file has too many ids for T, the constructor raises a ValueError that
    names file and T."""
    path = folder.joinpath("long.bin")
    path.write_bytes(file_of([words_of(numbered(n, 30 if n == 9 else 2), n) for n in range(12)]))

    assert EvalLoader(path, 4, 32, 0, 12).T == 32  # example 9 has 31 ids
    for T in (31, 20):
        with pytest.raises(ValueError, match=r"long\.bin") as raised:
            EvalLoader(path, 4, T, 0, 12)
        assert str(T) in str(raised.value)


@checks("EvalLoader", kind="boundary", why="each rank has to know which one it is")
@pytest.mark.parametrize(("rank", "ranks"), [(1, 1), (2, 2), (-1, 2), (0, 0), (5, 3)])
def test_no_such_rank(EvalLoader, twelve, rank, ranks):
    """A rank that is not one of 0 ... num_processes - 1 is a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        EvalLoader(twelve, 4, 16, rank, ranks)


@checks("EvalLoader", kind="boundary", why="llm.c wants work for everybody")
def test_more_processes_than_examples(EvalLoader, twelve):
    """Fewer examples than processes are a ValueError; as many are enough."""
    assert EvalLoader(twelve, 4, 16, 11, 12).start_example_index == 11
    with pytest.raises(ValueError, match=r"."):
        EvalLoader(twelve, 4, 16, 11, 13)


@checks("EvalLoader", kind="fault", why="a mark for a damaged exam is no mark")
@pytest.mark.parametrize("data", [
    b"", good_file()[:-2], file_of([BY_HAND], magic=20240520), good_file() + b"\0\0",
], ids=["empty", "cut", "magic", "more"])
def test_damaged_file(EvalLoader, folder, data):
    """A damaged file is a ValueError that names it."""
    path = folder.joinpath("exam.bin")
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"exam\.bin"):
        EvalLoader(path, 4, 16)


@checks("EvalLoader", kind="unit", why="an exam that is over can still be marked")
def test_closed(EvalLoader, twelve):
    """After close, reset, next_batch and next_example_ are a ValueError and stat_losses works;
    closing twice does no harm."""
    loader = EvalLoader(twelve, 8, 16)
    loader.next_batch()
    loader.close()
    loader.close()

    with pytest.raises(ValueError, match=r"."):
        loader.reset()
    with pytest.raises(ValueError, match=r"."):
        loader.next_batch()
    with pytest.raises(ValueError, match=r"."):
        loader.next_example_(0)
    assert loader.stat_losses(np.ones((8, 16))) == 1


@checks("EvalLoader", kind="golden", why="this is the exam of the chapter")
@pytest.mark.parametrize(("B", "ranks"), [(48, 1), (20, 1), (8, 2)])
def test_exam(EvalLoader, folder, questions, golden, B, ranks):
    """The course's exam with random losses has as many right answers as is known, whatever B and
    the number of processes."""
    path = folder.joinpath("exam.bin")
    path.write_bytes(file_of([words_of(each, n) for n, each in enumerate(questions)]))
    losses, right = np.random.RandomState(1).rand(48, 128), 0
    for rank in range(ranks):
        loader = EvalLoader(path, B, 128, rank, ranks)
        number = loader.num_batches
        for _ in range(number):
            first = 4 * loader.current_example_index
            loader.next_batch()
            own = np.zeros((B, 128))
            own[: len(losses[first : first + B])] = losses[first : first + B]
            right += loader.stat_losses(own)

    assert right == golden["correct"]["1"]
