# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What no argument takes, given to each of them: an error that names what was
given or what is needed."""

import sys
import unittest
from unittest import mock

import berth
from berth import minimalloc
from berth import Buffer, Cut, Distance, Edge, Gap, Pool, Problem, Use

#: Neither numbers nor lists of them.
NEVER = [object(), {0: 0}, {}, b"ab", 1j, float("nan"), [[object()]]]
NUMBERS = [None, "4", "", 2.5, float("inf"), True, 2**63, -2**63 - 1, [1], (), set()]
#: Of a column of two.
COLUMNS = ["ab", 3, 2.5, True, {1, 2}, [1], [1, 2, 3], [1, None], [1, 2.0],
           [True, 1], [1, 2**63], [[1], [2]]]


def two(**named):
    return Problem([Buffer(4, 0, 2, id="a"), Buffer(4, 1, 3, id="b")], **named)


class WrongValues(unittest.TestCase):
    def refuses(self, name, call, *lists):
        for value in NEVER + [v for values in lists for v in values]:
            with self.subTest(name, value=value):
                with self.assertRaises((TypeError, ValueError)) as caught:
                    call(value)
                self.assertRegex(
                    str(caught.exception),
                    r"needed|must be|does not fit|entries|there is no|there are"
                    r"|lacks its life|has no hash|has no buffer|is not within")

    def test_numbers_of_buffers(self):
        for name in ("size", "lower", "upper", "alignment", "weight"):
            self.refuses(name, lambda v: Problem(
                [Buffer(**{**{"size": 4, "lower": 0, "upper": 2}, name: v})]).pack(),
                NUMBERS)
        for name in ("fixed", "hint"):
            self.refuses(name, lambda v: Problem(
                [Buffer(4, 0, 2, **{name: v})]).pack(), NUMBERS[1:])
        self.refuses("Use.bytes", lambda v: Problem(
            [Buffer(4, 0, 2, uses=[Use(0, 1, "read", v)])], 4).fit(), NUMBERS)
        self.refuses("Use.make", lambda v: Problem(
            [Buffer(4, 0, 2, uses=[Use(0, 1, "read", 0, v)])], 4).fit(), NUMBERS)
        self.refuses("Gap.lower", lambda v: Problem(
            [Buffer(4, 0, 2, gaps=[Gap(v, 1)])]).pack(), NUMBERS)

    def test_lists_of_buffers(self):
        for name in ("pools", "segments", "gaps", "uses"):
            self.refuses(name, lambda v: Problem([Buffer(
                4, *(() if name == "segments" else (0, 2)), **{name: v})]).pack(),
                ["ab", 3, 2.5, True, [None], [2.5]])

    def test_problems(self):
        for name in ("buffers", "pools", "edges", "distances", "cuts", "reserved"):
            values = {"buffers": [Buffer(4, 0, 2)]}
            self.refuses(name, lambda v: Problem(**{**values, name: v}).pack(),
                         ["ab", 3, 2.5, True, [None], [2.5], [1]])
        self.refuses("capacity", lambda v: two(capacity=v).pack(), NUMBERS[1:],
                     [0, -1])
        self.refuses("Pool.capacity", lambda v: two(
            pools=[Pool(capacity=v)]).pack(), NUMBERS[1:])
        self.refuses("Cut.price", lambda v: two(cuts=[Cut(v)]).pack(), NUMBERS)
        self.refuses("Edge", lambda v: two(edges=[Edge(v, 1)]).pack(), NUMBERS)
        self.refuses("unless", lambda v: two(edges=[Edge(0, 1, v)]).pack(),
                     ["ab", 3, [None], [[0]]])
        self.refuses("Distance", lambda v: two(
            distances=[Distance(0, 1, v, 1)]).pack(), NUMBERS, [-2**63])
        self.refuses("id_of", two().id_of, NUMBERS[:6])

    def test_verify(self):
        verify = two(capacity=8).verify
        self.refuses("offsets", verify, COLUMNS, [None])
        self.refuses("pools", lambda v: verify([0, 4], v), COLUMNS)
        self.refuses("cuts", lambda v: verify([0, 4], None, v),
                     ["ab", 3, 2.5, True, [0], [None], ["c"]])
        with self.assertRaisesRegex(berth.InvalidError, "'b': it ends at 9, above"):
            verify([0, 5])

    def test_arrays(self):
        values = {"sizes": [4, 4], "lowers": [0, 1], "uppers": [2, 3]}
        for name in ("sizes", "lowers", "uppers", "alignments", "fixed", "hints",
                     "weights", "groups"):
            self.refuses(name, lambda v: berth.pack_arrays(**{**values, name: v}),
                         COLUMNS)

    def test_options(self):
        for name in ("steps", "seed", "threads"):
            self.refuses(name, lambda v: two().pack(**{name: v}), NUMBERS, [-1])
        for name in ("fill", "spill", "access", "move", "steps"):
            self.refuses(name, lambda v: two(capacity=9).fit(**{name: v}), NUMBERS,
                         [-1])

    def test_plans(self):
        for plan in (two().pack(), berth.pack_arrays([4, 4], [0, 1], [2, 3])):
            self.refuses("plan[]", plan.__getitem__, [None, 2.5, True, [0], 2**64])
            with self.assertRaisesRegex(KeyError, "has no buffer 'c'"):
                plan["c"]
            with self.assertRaisesRegex(IndexError, "no buffer 2; there are 2"):
                plan[2]

    def test_minimalloc(self):
        for name in ("id", "start_time", "end_time", "size", "alignment"):
            fields = {"id": "a", "start_time": 0, "end_time": 1, "size": 4}
            self.refuses(name, lambda v: minimalloc.Problem([minimalloc.Buffer(
                **{**fields, name: v})], 16).solve(),
                [v for v in NUMBERS if not (name == "id" and isinstance(v, str))])
        self.refuses("capacity", lambda v: minimalloc.Problem(
            [minimalloc.Buffer("a", 0, 1, 4)], v).solve(), NUMBERS)
        self.refuses("buffers", lambda v: minimalloc.Problem(v, 16).solve(),
                     ["ab", 3, [None], [1]])

    def test_modules(self):
        """Before berth-opt is run."""
        text = "func.func @f() { return }"
        for name in ("passes", "arguments"):
            self.refuses(name, lambda v: berth.plan(text, **{name: v}),
                         [None, 3, 2.5, True, [1], [None]])
        for name in ("generic", "allow_unregistered", "verify_input", "remarks"):
            self.refuses(name, lambda v: berth.plan(text, **{name: v}),
                         [None, 1, "no"])
        self.refuses("timeout", lambda v: berth.plan(text, timeout=v),
                     ["1", 0, -1, True, float("inf"), 2**63, 10**400])
        self.refuses("module", berth.plan, [None, 3, 2.5, True, []])
        scopes = berth.PlannedModule(text, (), "")
        self.refuses("scope", scopes.scope, [None, 3, 2.5, True])

    def test_articles(self):
        for value, words in ((3, "3, an int"), (2.5, "2.5, a float"),
                             ([], r"\[\], a list")):
            with self.assertRaisesRegex(TypeError, "packer is " + words):
                two().pack(packer=value)

    def test_without_numpy(self):
        with mock.patch.dict(sys.modules, {"numpy": None}):
            for name in ("offsets", "pools"):
                with self.assertRaisesRegex(
                        ImportError, "{0}_array.. needs numpy.*Plan.{0} is a list"
                        .format(name)):
                    getattr(two().pack(), name + "_array")()


if __name__ == "__main__":
    unittest.main()
