# Built by 'ol build' from solutions/ch02_bpe.py: edit that file instead.

PATTERN: str

EOT: str

def pretokenize(text: str) -> list[str]:
    """Cut `text` into chunks, in order; joined, they are `text` again."""

def count_chunks(segments: list[str]) -> dict[str, int]:
    """How often each chunk occurs in the segments, which are cut at each EOT first."""

def count_pairs(table: list[tuple[list[int], int]]) -> dict[tuple[int, int], int]:
    """How often each pair of neighbours occurs in a table of chunks with their counts."""

def merge(ids: list[int], pair: tuple[int, int], new_id: int) -> list[int]:
    """A copy of `ids` in which `new_id` stands for each `pair`, taken from the left."""

def train_bpe(segments: list[str], n_merges: int) -> list[tuple[int, int]]:
    """Learn up to `n_merges` merges from the segments: the pair that becomes 256, then 257, ..."""
