# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Problems and plans, as objects and as arrays."""

import array
import copy
import pickle
import signal
import subprocess
import sys
import unittest
from unittest import mock

import berth
from berth import Buffer, Cut, Distance, Edge, Gap, Pool, Problem


def numpy_or_skip():
    try:
        import numpy
    except ImportError:
        raise unittest.SkipTest("numpy is not installed")
    return numpy


class Plans(unittest.TestCase):
    def test_readme(self):
        plan = berth.pack([Buffer(4, 0, 3), Buffer(4, 3, 9), Buffer(4, 0, 9),
                           Buffer(4, 9, 21), Buffer(4, 0, 21)], 12)
        self.assertEqual(plan.peak, 12)
        self.assertEqual(plan.load, 12)
        self.assertEqual(plan.bound.reason, "load")
        time = plan.bound.start
        self.assertEqual(plan.bound.end, time + 1)
        self.assertEqual(4 * len(plan.bound.buffers), 12)
        self.assertTrue(plan.optimal and plan.fits)
        self.assertEqual(len(plan), 5)

    def test_fit(self):
        problem = Problem(capacity=100)
        a = problem.add(64, 0, 10, uses=[0, berth.Use(4, 5), (9, 10, "update")])
        problem.add(64, 6, 9, uses=[6, 8])
        fit = problem.fit()
        self.assertTrue(fit.optimal)
        self.assertEqual((fit.cost, fit.bytes_in, fit.bytes_out), (128, 64, 64))
        self.assertEqual([s.fill for s in fit.stays_of(a)], [False, True])
        self.assertEqual(problem.fit(fill=2, policy="largest").cost, 192)
        self.assertEqual(problem.fit(move=10).cost, 148)
        with self.assertRaises(ValueError):
            problem.fit(move=-1)
        again = Problem.parse(problem.to_json())
        self.assertEqual(again.fit().cost, fit.cost)
        problem.capacity = 60
        with self.assertRaises(berth.DoesNotFitError):
            problem.fit()
        problem.buffers[0].uses = [20]
        with self.assertRaises(berth.InvalidError):
            problem.fit()
        problem.buffers[0].uses = ["x"]
        with self.assertRaises(TypeError):
            problem.fit()

    def test_lookup(self):
        problem = Problem()
        a = problem.add(8, 0, 2, id="a")
        b = problem.add(8, 1, 3)
        plan = problem.pack()
        self.assertEqual(plan[a], plan[0])
        self.assertEqual(plan[a], plan["a"])
        self.assertEqual(plan[b], plan["b1"])
        self.assertEqual(plan[-1], plan[b])
        self.assertEqual(plan.placement(b),
                         berth.Placement("b1", plan.offsets[1], 8, 0))
        self.assertEqual([p.id for p in plan], ["a", "b1"])
        for bad, kind in ((2, IndexError), ("c", KeyError),
                          (Buffer(8, 0, 2), KeyError)):
            with self.assertRaises(kind):
                plan[bad]

    def test_every_field(self):
        problem = Problem(capacity=100)
        problem.add(10, 0, 4, id="fixed", fixed=20)
        problem.add(10, 0, 4, id="aligned", alignment=7)
        problem.add(10, 0, 4, id="liked", hint=50)
        problem.add(10, 5, 6, id="g1", group="together")
        problem.add(5, 8, 9, id="g2", group="together")
        problem.add(10, segments=[(0, 2), (4, 6)], id="holes")
        problem.add(30, 0, 6, id="gaps", gaps=[Gap(1, 5, (0, 10))])
        problem.reserved = [(0, 5)]
        plan = problem.pack(minimize=True)
        self.assertEqual(plan["fixed"], 20)
        self.assertEqual(plan["aligned"] % 7, 0)
        self.assertEqual(plan["g1"], plan["g2"])
        self.assertTrue(all(offset >= 5 for offset in plan.offsets))

    def test_edges_and_cuts(self):
        problem = Problem()
        a = problem.add(10, 0, 1)
        b = problem.add(10, 2, 3)
        self.assertEqual(problem.pack().peak, 10)
        problem.cuts.append(Cut(30, "barrier"))
        problem.edges.append(Edge(a, b, [["barrier"]]))
        plan = problem.pack(minimize=True)
        self.assertEqual((plan.peak, plan.price, plan.cuts), (10, 30, [0]))
        self.assertEqual(problem.verify([0, 0], cuts=["barrier"]).price, 30)
        with self.assertRaisesRegex(berth.InvalidError, "b0.*b1"):
            problem.verify([0, 0])
        problem.keep_apart(0, "b1")
        self.assertEqual(problem.pack().peak, 20)

    def test_distances(self):
        problem = Problem()
        source = problem.add(10, 0, 2, id="source")
        result = problem.add(8, 1, 3, id="result")
        self.assertEqual(problem.pack().peak, 18)
        problem.distances.append(Distance(source, "result", -5, 10))
        plan = problem.pack()
        self.assertEqual((plan.peak, plan.load, plan.optimal), (15, 15, True))
        self.assertEqual(plan[result] - plan[source], -5)
        with self.assertRaisesRegex(berth.InvalidError, "source.*result"):
            problem.verify([4, 0])
        again = Problem.parse(problem.to_json())
        self.assertEqual(again.distances, [Distance(0, 1, -5, 10)])
        problem.distances.append(Distance(1, 0, 0, 1))
        with self.assertRaisesRegex(berth.InvalidError, "second distance"):
            problem.pack()

    def test_pools(self):
        problem = Problem(pools=[Pool("fast", 16, reserved=[(0, 4)]),
                                 Pool("slow", cost=3)])
        problem.add(8, 0, 4, id="x", pools=["fast"])
        problem.add(8, 0, 4, id="y", pools=[1])
        plan = problem.pack()
        self.assertEqual(plan.pools, [0, 1])
        self.assertGreaterEqual(plan["x"], 4)
        self.assertEqual(plan.pool_cost, 24)
        self.assertEqual(problem.verify(plan.offsets, plan.pools).pool_cost, 24)

    def test_does_not_fit(self):
        problem = Problem(capacity=15)
        problem.add(8, 0, 2, id="a")
        problem.add(8, 1, 3, id="b")
        problem.add(8, 4, 5, id="c")
        with self.assertRaisesRegex(berth.DoesNotFitError,
                                    r"15 bytes: a \(8 bytes\), b") as caught:
            problem.pack()
        self.assertEqual(caught.exception.plan.conflict, [0, 1])
        self.assertEqual(caught.exception.number, "berth-E050")
        plan = problem.pack(must_fit=False)
        self.assertEqual(plan.status, "infeasible")
        self.assertFalse(plan.fits)
        with self.assertRaises(berth.InvalidError):
            plan.to_csv()
        self.assertIn("infeasible", plan._repr_html_())

    def test_is_not_copied(self):
        plan = berth.pack([Buffer(4, 0, 3)])
        complaints = []
        with mock.patch.object(sys, "unraisablehook", complaints.append):
            for copied in (pickle.dumps, copy.deepcopy):
                with self.assertRaisesRegex(TypeError, r"to_json\(\)"):
                    copied(plan)
        self.assertEqual(complaints, [])
        self.assertEqual(copy.copy(plan).offsets, plan.offsets)

    def test_empty(self):
        plan = berth.pack([])
        self.assertEqual((plan.offsets, plan.peak, list(plan)), ([], 0, []))

    def test_packers(self):
        self.assertIn("auto", berth.packers())
        buffers = [Buffer(8, 0, 2), Buffer(8, 1, 3)]
        self.assertEqual(berth.pack(buffers, packer="first-fit").packer,
                         "first-fit")
        with self.assertRaisesRegex(berth.InvalidError, "nonesuch"):
            berth.pack(buffers, packer="nonesuch")

    def test_numbers_of_threads(self):
        for wrong in (0, 1025, -1):
            with self.assertRaisesRegex(berth.InvalidError,
                                        "threads is {}; it must be from 1 to 1024".format(wrong)):
                berth.pack([berth.Buffer(8, 0, 1)], threads=wrong)

    def test_verify_heeds_the_capacity(self):
        problem = berth.Problem([berth.Buffer(10, 0, 3), berth.Buffer(10, 1, 4, id="b")],
                                capacity=20)
        self.assertEqual(problem.verify([0, 10]).peak, 20)
        with self.assertRaisesRegex(berth.InvalidError,
                                    "buffer 'b': it ends at 21, above the capacity of 20") as caught:
            problem.verify([0, 11])
        self.assertEqual(caught.exception.buffer, 1)

    def test_halves_of_characters(self):
        words = "holds '.ud800' at index 1: half of a surrogate pair"
        for call in (lambda: berth.pack([berth.Buffer(8, 0, 1, id="a\ud800")]),
                     lambda: berth.pack_arrays([8], [0], [1], ids=["a\ud800"]),
                     lambda: berth.pack([berth.Buffer(8, 0, 1)], packer="a\ud800")):
            with self.assertRaisesRegex(berth.InvalidError, words):
                call()

    def test_threads_never_change_the_plan(self):
        buffers = [Buffer(3 + i % 7, i, i + 9) for i in range(60)]
        one, two = (berth.pack(buffers, threads=t, steps=2**16).offsets
                    for t in (1, 2))
        self.assertEqual(one, two)

    def test_verify(self):
        problem = Problem([Buffer(8, 0, 2), Buffer(8, 1, 3)])
        plan = problem.verify([0, 8])
        self.assertEqual((plan.peak, plan.packer, plan.fits), (16, "given", True))
        for offsets, words in (([0, 7], "b0.*b1|b1.*b0"), ([0, -1], "-1.*8 bytes"),
                               ([0, 2**63 - 1], "no place for 8 bytes"),
                               ([0], "1 entries.*2 buffers")):
            with self.assertRaisesRegex(berth.InvalidError, words):
                problem.verify(offsets)

    def test_ctrl_c(self):
        code = ("import berth, os, signal, threading\n"
                "buffers = [berth.Buffer(1 + i * 7919 % 251, i, i + 40)"
                " for i in range(4000)]\n"
                "try:\n"  # on a slow machine it comes before packing begins
                "  threading.Timer(0.3, os.kill,"
                " (os.getpid(), signal.SIGINT)).start()\n"
                "  berth.pack(buffers, packer='local-search', steps=2**62)\n"
                "except KeyboardInterrupt:\n"
                "  print('stopped', signal.getsignal(signal.SIGINT) is"
                " signal.default_int_handler)\n")
        done = subprocess.run([sys.executable, "-c", code], timeout=300,
                              stdout=subprocess.PIPE, encoding="utf-8")
        self.assertEqual(done.stdout, "stopped True\n")


class Texts(unittest.TestCase):
    def test_round_trip(self):
        problem = Problem(capacity=64)
        problem.add(10, 0, 4, id="a", fixed=20, group=7)
        problem.add(8, segments=[(0, 2), (4, 6)],
                    gaps=[Gap(0, 1, (0, 4))], hint=3)
        problem.cuts.append(Cut(30, "x"))
        problem.edges.append(Edge(0, 1, [[0]]))
        again = Problem.parse(problem.to_json())
        self.assertEqual(again.to_json(), problem.to_json())
        self.assertEqual(again.buffers[0].fixed, 20)
        self.assertEqual(again.buffers[1].gaps, [Gap(0, 1, (0, 4))])
        pooled = Problem([Buffer(1, 0, 1, pools=["p"])], pools=[Pool("p", 4)])
        self.assertEqual(Problem.parse(pooled.to_json()).to_json(),
                         pooled.to_json())

    def test_csv(self):
        problem = Problem.parse("id,lower,upper,size\nx,0,3,4\ny,2,5,4\n")
        self.assertEqual([b.id for b in problem.buffers], ["x", "y"])
        self.assertIn("x,0,3,4,", problem.pack().to_csv())
        with self.assertRaisesRegex(berth.InvalidError, "2:") as caught:
            Problem.parse("id,lower,upper,size\nx,0,3,zero\n")
        self.assertEqual(caught.exception.line, 2)
        with self.assertRaisesRegex(berth.InvalidError, "yaml"):
            Problem.parse("", "yaml")

    def test_pictures(self):
        plan = berth.pack([Buffer(8, 0, 2, id="<&\u00e4>"), Buffer(8, 1, 3)])
        self.assertTrue(plan.to_svg("heading").startswith("<svg"))
        self.assertIn("heading", plan.to_svg("heading"))
        self.assertIn("<html", plan.to_html())
        shown = plan._repr_html_()
        self.assertTrue(shown.startswith('<iframe srcdoc="'))
        self.assertEqual(shown.count('"'), 8)  # the page is quoted
        self.assertIn("peak 16", repr(plan))


class Arrays(unittest.TestCase):
    def test_lists(self):
        plan = berth.pack_arrays([4, 4, 4], [0, 1, 2], [2, 3, 4])
        self.assertEqual(plan.peak, 8)
        plan = berth.pack_arrays([4, 4, 4], [0, 1, 2], [2, 3, 4],
                                 edges=[(0, 2)], ids=["a", "b", "c"])
        self.assertEqual(plan.peak, 12)
        self.assertEqual(plan["c"], plan.offsets[2])
        self.assertEqual(plan.placement("b").size, 4)
        with self.assertRaises(KeyError):
            plan["d"]
        with self.assertRaises(IndexError):
            plan[3]

    def test_columns(self):
        plan = berth.pack_arrays(
            [10, 10, 5, 5], [0, 0, 0, 1], [4, 4, 1, 4],
            alignments=[1, 16, 1, 1], fixed=[20, -1, -1, -1],
            hints=[-1, -1, -1, -1], weights=[1, 1, 1, 1],
            groups=[-1, -1, 3, 3], capacity=64)
        self.assertEqual(plan[0], 20)
        self.assertEqual(plan[1] % 16, 0)
        self.assertEqual(plan[2], plan[3])

    def test_buffers_of_other_kinds(self):
        wide = [array.array("q", x) for x in ([4, 4], [0, 1], [2, 3])]
        narrow = [array.array("i", x) for x in ([4, 4], [0, 1], [2, 3])]
        self.assertEqual(berth.pack_arrays(*wide).offsets,
                         berth.pack_arrays(*narrow).offsets)
        frozen = [memoryview(x.tobytes()).cast("q") for x in wide]
        self.assertEqual(berth.pack_arrays(*frozen).peak, 8)
        self.assertEqual(berth.pack_arrays([], [], []).offsets, [])

    def test_numpy(self):
        numpy = numpy_or_skip()
        columns = [numpy.array(x) for x in ([4, 4, 4], [0, 1, 2], [2, 3, 4])]
        plan = berth.pack_arrays(*columns, edges=numpy.array([[0, 2]]))
        self.assertEqual(plan.peak, 12)
        self.assertEqual(plan.offsets_array().dtype, numpy.int64)
        small = [c.astype(numpy.uint16)[::1] for c in columns]
        self.assertEqual(berth.pack_arrays(*small).peak, 8)
        strided = [numpy.repeat(c, 2)[::2] for c in columns]
        self.assertEqual(berth.pack_arrays(*strided).peak, 8)
        self.assertEqual(berth.pack([Buffer(numpy.int32(4), numpy.int64(0),
                                            numpy.uint8(2))]).peak, 4)
        with self.assertRaisesRegex(TypeError, r"sizes\[0\] is .*float"):
            berth.pack_arrays(columns[0] * 1.5, *columns[1:])
        with self.assertRaisesRegex(TypeError, r"bool"):
            berth.pack_arrays(columns[0] > 1, *columns[1:])
        self.assertEqual(plan.pools_array().tolist(), [0, 0, 0])

    def test_numpy_everywhere(self):
        """An array has no truth of its own, and its numbers are no ints."""
        numpy = numpy_or_skip()
        x = Buffer(8, segments=numpy.array([[0, 2], [5, 7]]),
                   gaps=numpy.array([[5, 6]]), uses=numpy.array([0, 5]),
                   pools=numpy.array([0]), backed=numpy.bool_(False))
        y = Buffer(8, 0, 9, group=numpy.int64(1), uses=[numpy.int16(3)])
        pools = numpy.array([Pool("p", numpy.int64(32),
                                  reserved=numpy.array([[0, 4]]))])
        problem = Problem([x, y], pools=pools,
                          cuts=numpy.array([berth.Cut(numpy.int8(2))]),
                          edges=[berth.Edge(0, numpy.int64(1),
                                            numpy.array([[0]]))])
        plan = problem.pack(minimize=numpy.bool_(True),
                            time_limit=numpy.float32(60), steps=numpy.int32(9999))
        self.assertEqual(plan[numpy.int64(0)], plan[x])
        self.assertEqual(problem.verify(plan.offsets_array(), plan.pools_array(),
                                        numpy.array([0])).offsets, plan.offsets)
        flat = Problem([Buffer(8, 0, 4, uses=numpy.array([0, 3]))],
                       reserved=numpy.array([[0, 16]]),
                       capacity=numpy.uint64(32))
        self.assertEqual(flat.pack().offsets, [16])
        fit = Problem(flat.buffers, numpy.int64(8)).fit(fill=numpy.int8(1))
        self.assertEqual(fit.cost, 0)

    def test_numpy_in_place_of_minimalloc(self):
        numpy = numpy_or_skip()
        from berth import minimalloc
        columns = numpy.array([[0, 2], [2, 3]])
        buffers = [minimalloc.Buffer(str(i), start, end, numpy.int32(4))
                   for i, (start, end) in enumerate(columns)]
        self.assertEqual(minimalloc.Problem(buffers, numpy.int64(8)).solve(),
                         [0, 4])

    def test_errors(self):
        def fails(kind, words, *columns, **named):
            with self.assertRaisesRegex(kind, words):
                berth.pack_arrays(*columns, **named)

        fails(TypeError, r"sizes\[1\] is 1.5, a float", [1, 1.5], [0, 0], [1, 1])
        fails(TypeError, r"lowers is 'ab', a str", [1, 1], "ab", [1, 1])
        fails(TypeError, r"uppers is None, a NoneType", [1], [0], None)
        fails(berth.InvalidError, r"lowers has 1 entries.*2 buffers",
              [1, 1], [0], [1, 1])
        fails(berth.InvalidError, r"sizes\[0\] is 9223372036854775808",
              [2**63], [0], [1])
        fails(berth.InvalidError, r"b1.*-5", [1, -5], [0, 0], [1, 1])
        fails(berth.InvalidError, r"edges\[0\] is 2; it must be from 0 to 1",
              [1, 1], [0, 0], [1, 1], edges=[(0, 2)])
        fails(berth.InvalidError, r"edges\[0\] has 3 entries",
              [1, 1], [0, 0], [1, 1], edges=[(0, 1, 1)])
        fails(berth.InvalidError, r"ids has 1 entries",
              [1, 1], [0, 0], [1, 1], ids=["a"])
        fails(berth.InvalidError, r"the capacity is 0", [1], [0], [1], capacity=0)
        fails(TypeError, "no option 'colour'", [1], [0], [1], colour=1)
        fails(TypeError, r"ids is 3, an int", [1], [0], [1], ids=3)

    def test_options(self):
        def fails(kind, words, **options):
            with self.assertRaisesRegex(kind, words):
                berth.pack([Buffer(1, 0, 1)], **options)

        for wrong in ("2", [1], True):
            fails(TypeError, r"time_limit is .*a number of seconds is needed",
                  time_limit=wrong)
        for wrong in (0, -1.5, float("nan"), float("inf"), 10**400):
            fails(berth.InvalidError, r"time_limit is .*above 0 and finite",
                  time_limit=wrong)
        for wrong in ("no", None, 1):
            fails(TypeError, r"minimize is .*True or False", minimize=wrong)
            fails(TypeError, r"must_fit is .*True or False", must_fit=wrong)
        fails(TypeError, r"proof_file is 2.5, a float; a path", proof_file=2.5)
        fails(berth.InvalidError, r"proof_file is an empty path", proof_file="")
        fails(TypeError, r"packer is 3, an int; a string", packer=3)
        fails(TypeError, r"the capacity is '8', a str", capacity="8")


class Errors(unittest.TestCase):
    """Each names the buffer and the value."""

    def fails(self, kind, words, *buffers, **named):
        with self.assertRaisesRegex(kind, words):
            Problem(list(buffers), **named).pack()

    def test_types(self):
        self.fails(TypeError, r"buffer 'w': size is '8', a str",
                   Buffer("8", 0, 1, id="w"))
        self.fails(TypeError, r"buffer 'b1': size is 2.0, a float",
                   Buffer(1, 0, 1), Buffer(2.0, 0, 1))
        self.fails(TypeError, r"buffer 'b0': alignment is True, a bool",
                   Buffer(1, 0, 1, alignment=True))
        self.fails(TypeError, r"id of buffers\[0\] is 3, an int",
                   Buffer(1, 0, 1, id=3))
        self.fails(TypeError, r"buffers\[0\] is 5, an int", 5)
        for name in ("segments", "gaps", "uses", "pools"):
            self.fails(TypeError, name + r" is 3, an int; a sequence is needed",
                       Buffer(1, 0, 1, **{name: 3}))
        self.fails(TypeError, r"buffer 'b0': group is \[\], a list, which has no "
                   "hash", Buffer(1, 0, 1, group=[]))
        self.fails(TypeError, r"buffer 'b0': backed is 'no', a str",
                   Buffer(1, 0, 1, backed="no"))
        for name, kind in (("pools", "a Pool"), ("cuts", "a Cut"),
                           ("edges", "an Edge")):
            self.fails(TypeError, name + r"\[0\] is 3, an int; " + kind,
                       Buffer(1, 0, 1), **{name: [3]})
            self.fails(TypeError, name + r" is 3, an int; a sequence is needed",
                       Buffer(1, 0, 1), **{name: 3})
        with self.assertRaisesRegex(TypeError, r"the problem is None"):
            berth.pack(None)
        with self.assertRaisesRegex(TypeError, r"format is 3, an int"):
            Problem.parse("", 3)
        with self.assertRaisesRegex(berth.InvalidError, r"pools has 2 entries"):
            Problem([Buffer(1, 0, 1)]).verify([0], [0, 0])
        plan = berth.pack_arrays([1], [0], [1])
        with self.assertRaisesRegex(TypeError, r"index of a buffer is 0.5"):
            plan[0.5]
        with self.assertRaisesRegex(TypeError, r"title is 3, an int"):
            plan.to_svg(3)
        self.fails(TypeError, r"buffer 'b0': segments\[0\] is 4; a pair",
                   Buffer(1, segments=[4]))
        self.fails(TypeError, r"buffer 'b0': gaps\[0\] is 4; a Gap",
                   Buffer(1, 0, 1, gaps=[4]))

    def test_values(self):
        self.fails(berth.InvalidError, r"buffer 'w': size is 0; .* at least 1",
                   Buffer(0, 0, 1, id="w"))
        self.fails(berth.InvalidError, r"buffer 'b0': fixed is -1",
                   Buffer(1, 0, 1, fixed=-1))
        self.fails(berth.InvalidError, r"buffer 'b0': size is .* 64 bits",
                   Buffer(2**64, 0, 1))
        self.fails(berth.InvalidError, r"buffer 'b0': it lacks its life",
                   Buffer(1, 0))
        self.fails(berth.InvalidError, r"buffer 'b0': it has both",
                   Buffer(1, 0, 1, segments=[(0, 1)]))
        self.fails(berth.InvalidError, r"^buffer 'w': .* after its start 3",
                   Buffer(1, 3, 3, id="w"))
        self.fails(berth.InvalidError, r"'w'", Buffer(1, 0, 1, id="w"),
                   Buffer(1, 0, 1, id="w"))
        self.fails(berth.InvalidError, r"no pool 'slow'",
                   Buffer(1, 0, 1, pools=["slow"]))
        self.fails(berth.InvalidError, r"holds a NUL", Buffer(1, 0, 1, id="a\0"))
        self.fails(berth.InvalidError, r"the capacity is 0", capacity=0)
        self.fails(berth.InvalidError, r"edges\[0\]: the problem has no buffer 'z'",
                   Buffer(1, 0, 1), edges=[Edge("z", 0)])
        twice = Buffer(1, 0, 1)
        self.fails(berth.InvalidError, r"'b1': it stands in the problem twice",
                   twice, twice)

    def test_options(self):
        problem = Problem([Buffer(1, 0, 1)])
        with self.assertRaisesRegex(berth.InvalidError, "steps is -1"):
            problem.pack(steps=-1)
        with self.assertRaisesRegex(berth.InvalidError, "time_limit is 0"):
            problem.pack(time_limit=0)
        with self.assertRaisesRegex(TypeError, "packer is 3"):
            problem.pack(3)


if __name__ == "__main__":
    unittest.main()
