# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The stand-in for minimalloc."""

import unittest

import berth
from berth.minimalloc import Buffer, MiniMallocError, Problem, Solution


def check(buffers, offsets, capacity):
    """By its own words: live together, so no common byte."""
    for i, a in enumerate(buffers):
        assert 0 <= offsets[i] and offsets[i] + a.size <= capacity
        assert offsets[i] % (a.alignment or 1) == 0
        for j in range(i):
            b = buffers[j]
            if a.start_time <= b.end_time and b.start_time <= a.end_time:
                assert offsets[i] + a.size <= offsets[j] \
                    or offsets[j] + b.size <= offsets[i]


class MiniMalloc(unittest.TestCase):
    def test_solves(self):
        buffers = [Buffer("a", 0, 3, 10, 10), Buffer("b", 2, 5, 28, 14),
                   Buffer("c", 4, 4, 7, 0), Buffer("d", 6, 6, 40, 1)]
        solution = Problem(buffers, 48).solve()
        self.assertIsInstance(solution, Solution)
        self.assertIsInstance(solution, list)
        check(buffers, solution, 48)

    def test_end_is_included(self):
        buffers = [Buffer("a", 0, 1, 8, 1), Buffer("b", 1, 2, 8, 1)]
        check(buffers, Problem(buffers, 16).solve(), 16)
        with self.assertRaises(MiniMallocError):
            Problem(buffers, 15).solve()

    def test_one_moment(self):
        buffers = [Buffer("a", 5, 5, 8, 1), Buffer("b", 5, 5, 8, 1)]
        self.assertEqual(sorted(Problem(buffers, 16).solve()), [0, 8])

    def test_end_may_be_set_later(self):
        buffer = Buffer("a", 0, 0, 8, 64)
        buffer.end_time = 4
        self.assertEqual(Problem([buffer, Buffer("b", 4, 4, 8, 64)], 72).solve(),
                         [0, 64])

    def test_does_not_fit(self):
        buffers = [Buffer("a", 0, 3, 10, 1), Buffer("b", 0, 3, 10, 1)]
        with self.assertRaisesRegex(MiniMallocError, "19 bytes: 'a', 'b'"):
            Problem(buffers, 19).solve()
        with self.assertRaisesRegex(MiniMallocError, "capacity of -1"):
            Problem([], -1).solve()
        self.assertEqual(Problem([], 0).solve(), [])
        with self.assertRaisesRegex(MiniMallocError, "capacity of 0"):
            Problem(buffers, 0).solve()

    def test_odd_input(self):
        self.assertEqual(Problem([], 0).solve(), [])
        same = [Buffer("x", 0, 0, 4, 1), Buffer("x", 0, 0, 4, 1)]
        self.assertEqual(sorted(Problem(same, 8).solve()), [0, 4])
        empty = [Buffer("x", 0, 0, 0, 1), Buffer("y", 0, 0, 4, 1)]
        self.assertEqual(Problem(empty, 4).solve(), [0, 0])

    def test_errors(self):
        def fails(kind, words, buffer, capacity=64):
            with self.assertRaisesRegex(kind, words):
                Problem([buffer], capacity).solve()

        fails(berth.InvalidError, "buffer 'a': end_time is 1, before start_time 2",
              Buffer("a", 2, 1, 4, 1))
        fails(berth.InvalidError, "buffer 'a': size is -4", Buffer("a", 0, 1, -4, 1))
        fails(berth.InvalidError, "buffer 'a': alignment is -1",
              Buffer("a", 0, 1, 4, -1))
        fails(TypeError, "buffer 'a': start_time is 0.5, a float",
              Buffer("a", 0.5, 1, 4, 1))
        fails(TypeError, "the id of buffers.0. is 7, an int; a string is needed",
              Buffer(7, 0, 1, 4, 1))
        fails(TypeError, "the capacity is None", Buffer("a", 0, 1, 4, 1), None)


if __name__ == "__main__":
    unittest.main()
