"""The road maps, cell by cell, on shoes worked out by hand."""

from random import Random

from games.rules.baccarat.coup import Winner
from games.rules.baccarat.roads import (
    Answer,
    BigRoadCell,
    Colour,
    Counts,
    Result,
    bead_plate,
    big_road,
    derived_colours,
    derived_road,
    roads,
)
from tests.rules.cases import each

WINNERS: dict[str, Winner] = {"P": "player", "B": "banker", "T": "tie"}
COLOURS: dict[str, Colour] = {"r": "red", "b": "blue"}


def results(text: str) -> list[Result]:
    return [Result(WINNERS[letter]) for letter in text]


def winners(text: str) -> list[Winner]:
    return [WINNERS[letter] for letter in text]


def drawn(cells: list[tuple[int, int, str]]) -> list[str]:
    """Six rows of text, the letters where the cells stand."""
    columns = max((column for column, _, _ in cells), default=-1) + 1
    grid = [["."] * columns for _ in range(6)]
    for column, row, letter in cells:
        assert grid[row][column] == ".", "two cells in one place"
        grid[row][column] = letter
    return ["".join(row) for row in grid]


def drawn_big_road(text: str) -> list[str]:
    cells = big_road(results(text))
    return drawn(
        [(cell.column, cell.row, cell.result.winner[0].upper()) for cell in cells if cell.result]
    )


def test_the_bead_plate_lists_every_result_six_to_a_column() -> None:
    beads = bead_plate(results("BPTBBPTP"))
    places = [(bead.column, bead.row, bead.result.winner[0].upper()) for bead in beads]
    assert drawn(places) == ["BT", "PP", "T.", "B.", "B.", "P."]


@each(
    ("", ["", "", "", "", "", ""]),
    ("BBPBBB", ["BPB", "B.B", "..B", "...", "...", "..."]),
    ("BTTBPTB", ["BPB", "B..", "...", "...", "...", "..."]),
    # Seven and eight of one winner: the tail runs right in the sixth row.
    ("B" * 8 + "P", ["BP.", "B..", "B..", "B..", "B..", "BBB"]),
    # The next column finds the tail below it and turns in the fifth row.
    ("B" * 8 + "P" * 6, ["BP.", "BP.", "BP.", "BP.", "BPP", "BBB"]),
    # A third column passes between the two tails only as far as the fourth row.
    ("B" * 8 + "P" * 7 + "B" * 5, ["BPB.", "BPB.", "BPB.", "BPBB", "BPPP", "BBB."]),
)
def test_columns_of_the_big_road(shoe: str, rows: list[str]) -> None:
    assert drawn_big_road(shoe) == rows


def test_a_tail_in_the_top_row_moves_the_next_column_on() -> None:
    """Each tail leaves a row less to the next column; the sixth cannot go down at all."""
    lengths = zip("BPBPBPB", (11, 9, 7, 5, 3, 3, 1), strict=True)
    assert drawn_big_road("".join(letter * length for letter, length in lengths)) == [
        "BPBPBPPPB",
        "BPBPBB...",
        "BPBPPP...",
        "BPBBBB...",
        "BPPPPP...",
        "BBBBBB...",
    ]


def test_a_tail_of_one_cell_in_the_top_row_moves_the_next_column_on_by_one() -> None:
    lengths = zip("BPBPBPB", (11, 9, 7, 5, 3, 2, 1), strict=True)
    top, *_ = drawn_big_road("".join(letter * length for letter, length in lengths))
    assert top == "BPBPBPPB"


def test_each_winner_is_counted() -> None:
    counts = roads(results("BPPTTTB" + "P" * 3)).counts
    assert (counts.rounds, counts.player, counts.banker, counts.tie) == (10, 5, 2, 3)


def test_ties_are_counted_on_the_result_before_them() -> None:
    cells = big_road(results("TTBTPPTT"))
    assert [(cell.column, cell.row, cell.ties) for cell in cells] == [
        (0, 0, 3),
        (1, 0, 0),
        (1, 1, 2),
    ]


def test_a_shoe_of_ties_alone_counts_them_in_the_first_cell() -> None:
    assert big_road(results("TTT")) == (BigRoadCell(0, 0, None, 3),)


def test_the_marks_of_a_result_stay_with_its_cell() -> None:
    marked = Result("banker", player_pair=True, natural=True)
    tie = Result("tie", banker_pair=True)
    drawn_roads = roads([marked, tie])
    assert [bead.result for bead in drawn_roads.bead_plate] == [marked, tie]
    assert drawn_roads.big_road == (BigRoadCell(0, 0, marked, 1),)
    assert drawn_roads.counts == Counts(
        rounds=2, player=0, banker=1, tie=1, player_pair=1, banker_pair=1, natural=1
    )


@each(
    # Nothing is compared within the first column, nor at the head of the second.
    ("BBBB", "", "", ""),
    ("BBBBP", "", "", ""),
    # The second entry of the second column has a neighbour: red.
    ("BBP" + "P", "r", "", ""),
    # It ends just beside a shorter column: blue; one further down: red.
    ("BPP", "b", "", ""),
    ("BPPP", "br", "", ""),
    ("BPPPP", "brr", "", ""),
    # Heads of columns: the two before are equally long, or not.
    ("BPB", "r", "", ""),
    ("BBPB", "b", "", ""),
    # Chops: every head is red, in each road from where it begins.
    ("BPBPBP", "rrrr", "rrr", "rr"),
    # Pairs: all red.
    ("BBPPBBPPBB", "r" * 7, "r" * 5, "r" * 3),
    # Columns 1, 2, 3, 1: worked out cell by cell.
    # eye: column 2 row 2 b; head of 3 (1, 2) b; row 2 r; row 3 b; head of 4 (2, 3) b.
    # small: column 3 row 2 compares with 1 b, row 3 r; head of 4 compares 3 with 1 b.
    ("BPPBBBP", "bbrbb", "brb", ""),
    # Columns 3, 1, 1, 2, 1.
    # eye: head of 3 (3, 1) b; head of 4 (1, 1) r; row 2 b; head of 5 (1, 2) b.
    # small: head of 4 (1, 3) b; row 2 b; head of 5 (2, 1) b.
    # cockroach: column 4 row 2 beside 3 r; head of 5 (2, 3) b.
    ("BBBPBPPB", "brbb", "bbb", "rb"),
    # Ties are passed over.
    ("BTPTTPT", "b", "", ""),
)
def test_entries_of_the_derived_roads(shoe: str, eye: str, small: str, cockroach: str) -> None:
    decided = winners(shoe.replace("T", ""))
    for distance, letters in ((1, eye), (2, small), (3, cockroach)):
        assert derived_colours(decided, distance) == [COLOURS[letter] for letter in letters]
    maps = roads(results(shoe))
    entries = [maps.big_eye_boy, maps.small_road, maps.cockroach_road]
    assert [len(cells) for cells in entries] == [len(eye), len(small), len(cockroach)]


def test_a_tail_does_not_shorten_the_column_it_belongs_to() -> None:
    """Eight bankers bend in the sixth row; the eighth player still has a neighbour."""
    assert derived_colours(winners("B" * 8 + "P" * 10), 1) == [*["red"] * 7, "blue", "red"]


def test_derived_roads_are_laid_out_like_the_big_road() -> None:
    cells = derived_road(winners("BPBPBPBPBPP"), 1)
    assert drawn([(cell.column, cell.row, cell.colour[0]) for cell in cells]) == [
        *("rb.", "r..", "r..", "r..", "r..", "rrr")
    ]


@each(
    ("", "banker", "..."),
    ("B", "banker", "..."),
    ("B", "player", "..."),
    ("BP", "player", "b.."),
    ("BP", "banker", "r.."),
    ("BPB", "player", "rr."),
    ("BPBP", "banker", "rrr"),
    ("BPBP", "player", "bbb"),
    ("BPBPB", "player", "rrr"),
    ("BBBPBPP", "banker", "bbb"),
    ("BBBPBPP", "player", "rrr"),
    ("BPT", "player", "b.."),
)
def test_asking_the_road(shoe: str, side: str, letters: str) -> None:
    colours = [COLOURS.get(letter) for letter in letters]
    maps = roads(results(shoe))
    answer = maps.if_player if side == "player" else maps.if_banker
    assert answer == Answer(*colours)


def test_an_answer_is_what_the_next_result_adds() -> None:
    for seed in range(100):
        random = Random(seed)
        shoe = "".join(random.choice("BPBPT") for _ in range(random.randint(0, 60)))
        for letter in "PB":
            before, after = roads(results(shoe)), roads(results(shoe + letter))
            added = [
                new[-1].colour if len(new) > len(old) else None
                for old, new in (
                    (before.big_eye_boy, after.big_eye_boy),
                    (before.small_road, after.small_road),
                    (before.cockroach_road, after.cockroach_road),
                )
            ]
            assert (before.if_player if letter == "P" else before.if_banker) == Answer(*added)


def test_no_two_cells_share_a_place_and_none_leaves_the_six_rows() -> None:
    for seed in range(200):
        random = Random(seed)
        letter, shoe = "B", ""
        for _ in range(80):
            if random.random() < seed % 10 / 20:
                letter = random.choice("BP")
            shoe += letter
        drawn_big_road(shoe)
        maps = roads(results(shoe))
        for cells in (maps.big_eye_boy, maps.small_road, maps.cockroach_road):
            drawn([(cell.column, cell.row, cell.colour[0]) for cell in cells])
