"""The matching rule: what models get wrong is understood, what would have to be guessed is refused."""

from textwrap import dedent, indent

import pytest
from changes_world import Workshop

CART = dedent(
    """\
    class Cart:
        def total(self):
            amount = 0
            for item in self.items:
                amount += item.price
            return amount

        def count(self):
            amount = 0
            for item in self.items:
                amount += 1
            return amount
    """
)


@pytest.fixture
def cart(workshop: Workshop) -> Workshop:
    workshop.put("cart.py", CART)
    return workshop


FIXED = CART.replace("item.price", "item.price * item.quantity")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            "            amount += item.price\n        return amount\n",
            "            amount += item.price * item.quantity\n        return amount\n",
            id="exact",
        ),
        pytest.param(
            "            amount += item.price",
            "            amount += item.price * item.quantity",
            id="no final newline",
        ),
        pytest.param(
            "            amount += item.price  \n        return amount\t\n",
            "            amount += item.price * item.quantity  \n        return amount\t\n",
            id="trailing spaces",
        ),
        pytest.param(
            "    amount += item.price\nreturn amount\n",
            "    amount += item.price * item.quantity\nreturn amount\n",
            id="dedented",
        ),
        pytest.param(
            "                amount += item.price\n            return amount\n",
            "                amount += item.price * item.quantity\n            return amount\n",
            id="indented too far",
        ),
        pytest.param(
            "        for item in self.products:\n            amount += item.price\n        return amount\n",
            "        for item in self.products:\n            amount += item.price * item.quantity\n"
            "        return amount\n",
            id="one context line out of date",
        ),
        pytest.param(
            "        for item in self.items:\r\n            amount += item.price\r\n",
            "        for item in self.items:\r\n            amount += item.price * item.quantity\r\n",
            id="other line endings",
        ),
    ],
)
def test_what_models_get_wrong_is_understood(cart: Workshop, old: str, new: str) -> None:
    cart.done("replace_text", path="cart.py", old=old, new=new)
    assert cart.text("cart.py") == FIXED


def test_inserted_lines_move_with_the_lines_around_them(cart: Workshop) -> None:
    old = "for item in self.items:\n    amount += item.price\nreturn amount"
    new = "for item in self.items:\n    if item.free:\n        continue\n    amount += item.price\nreturn amount"
    cart.done("replace_text", path="cart.py", old=old, new=new)
    assert indent("if item.free:\n    continue\n", " " * 12) in cart.text("cart.py")


@pytest.mark.parametrize(
    ("old", "new", "code", "says"),
    [
        pytest.param(
            "            amount += item.cost\n        return amount", "        return 1", "no_match",
            "Its line 1 is `amount += item.cost`, but line 5 of the file is `amount += item.price`",
            id="stale deleted line",
        ),
        pytest.param(
            "    def total(self):\n        for item in self.items:\n            amount += item.price\n",
            "    def total(self):\n        for item in self.items:\n            amount += 2\n", "no_match",
            "It leaves out a line: `amount = 0` (line 3)", id="a line left out in the middle",
        ),
        pytest.param(
            "        amount = 0\n            amount += item.price\n", "        amount = 0\n            amount += 2\n",
            "no_match", "It leaves out a line", id="a line left out at the edge",
        ),
        pytest.param(
            "        for article in self.goods:\n            amount += item.price\n        return total\n",
            "        for article in self.goods:\n            amount += 2\n        return total\n", "no_match",
            "line 4 of the file is `for item in self.items:`", id="two context lines out of date",
        ),
        pytest.param(
            "for item in self.items:\namount += item.price\nreturn amount",
            "for item in self.items:\namount += 2\nreturn amount", "no_match",
            "Only the indentation differs, unevenly; the file indents with spaces", id="indentation lost",
        ),
        pytest.param("item.price", "item.cost", "no_match", "only a part of line 5", id="part of a line"),
        pytest.param("        return amount", "        return 0", "ambiguous", "line 6 in `Cart.total`", id="twice"),
        pytest.param("amount = 0", "amount = 1", "ambiguous", "`within`", id="two places when trimmed"),
        pytest.param("nothing of this", "is there", "no_match", "Nothing like the old text", id="nowhere"),
        pytest.param("", "x = 1", "bad_arguments", "`old` is empty", id="empty"),
        pytest.param("\n\n", "x = 1", "bad_arguments", "`old` is empty", id="blank"),
        pytest.param("class Cart:", "class Cart:", "bad_arguments", "nothing would change", id="no change"),
        pytest.param("class Cart:", "class \0Cart:", "bad_arguments", "NUL", id="NUL"),
        pytest.param("class Cart:", "class \ud800Cart:", "bad_arguments", "surrogate", id="half a surrogate pair"),
    ],
)  # fmt: skip
def test_what_would_have_to_be_guessed_is_refused(cart: Workshop, old: str, new: str, code: str, says: str) -> None:
    answer = cart.refused("replace_text", path="cart.py", old=old, new=new)
    assert answer.code == code
    assert says in answer.text


def test_within_decides_between_places(cart: Workshop) -> None:
    cart.done("replace_text", path="cart.py", old="        return amount", new="        return 7", within="Cart.count")
    assert cart.text("cart.py") == CART[: CART.rindex("return")] + "return 7\n"


def test_within_takes_lines(cart: Workshop) -> None:
    cart.done("replace_text", path="cart.py", old="        return amount", new="        return 7", within="1-6")
    assert cart.text("cart.py").count("return 7") == 1
    assert cart.text("cart.py").index("return 7") < cart.text("cart.py").index("def count")


def test_a_place_that_reaches_out_of_within_is_none(cart: Workshop) -> None:
    old = "        return amount\n\n    def count(self):"
    answer = cart.refused("replace_text", path="cart.py", old=old, new="        return 1", within="Cart.total")
    assert answer.code == "no_match"


def test_a_stale_line_is_no_help_where_two_places_are_left(workshop: Workshop) -> None:
    workshop.put("a.txt", "start\nalpha\nbeta\ngamma one\n\nstart\nalpha\nbeta\ngamma two\n")
    old, new = "alpha\nbeta\ngamma three", "alpha\nBETA\ngamma three"
    assert workshop.refused("replace_text", path="a.txt", old=old, new=new).code == "ambiguous"


def test_the_files_own_context_lines_stay_as_they_are(workshop: Workshop) -> None:
    workshop.put("a.txt", "keep me   \nchange me\nkeep me too\t\n")
    workshop.done(
        "replace_text", path="a.txt", old="keep me\nchange me\nkeep me too", new="keep me\nchanged\nkeep me too"
    )
    assert workshop.text("a.txt") == "keep me   \nchanged\nkeep me too\t\n"


def test_trailing_spaces_are_an_edit_where_the_file_has_them(workshop: Workshop) -> None:
    workshop.put("a.txt", "one  \ntwo\n")
    workshop.done("replace_text", path="a.txt", old="one  \ntwo", new="one\ntwo")
    assert workshop.text("a.txt") == "one\ntwo\n"


def test_a_new_line_that_cannot_move_so_far_left_is_refused(workshop: Workshop) -> None:
    workshop.put("a.txt", "  one\n  two\n")
    answer = workshop.refused(
        "replace_text", path="a.txt", old="      one\n      two", new="      one\n  new\n      two"
    )
    assert "indented less" in answer.text


def test_tabs_for_spaces_are_refused_and_named(workshop: Workshop) -> None:
    workshop.put("a.go", "func main() {\n\tif ok {\n\t\trun()\n\t}\n}\n")
    answer = workshop.refused(
        "replace_text", path="a.go", old="    if ok {\n        run()\n    }", new="    if ok {\n        walk()\n    }"
    )
    assert "the file indents with tabs here" in answer.text
