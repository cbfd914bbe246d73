"""An indexer killed in the middle of its writes loses its own build and nothing else."""

import subprocess
import sys
from pathlib import Path

from claimstream.adapters.edge.catalogue import EdgeCatalogue
from claimstream.adapters.edge.data import DataFolder
from claimstream.adapters.edge.dense import EdgeDense
from claimstream.adapters.edge.sparse import EdgeSparse
from claimstream.domain.evidence.names import next_generation
from engines import embed, embed_all, manifest, passages

WRITER = """
import sys
from pathlib import Path
from engines import embed_all, manifest, passages
from claimstream.adapters.edge.catalogue import EdgeCatalogue
from claimstream.adapters.edge.data import DataFolder
from claimstream.adapters.edge.dense import EdgeDense
from claimstream.adapters.edge.sparse import EdgeSparse

data = DataFolder(Path(sys.argv[1]))
dense, sparse = EdgeDense(data), EdgeSparse(data)
served, doomed = manifest(), manifest(generation="g2")
for of in (served, doomed):
    dense.create(of)
    sparse.create(of)
written = passages(served, [f"Rule {number} on refunds." for number in range(50)])
dense.upsert(served, written, embed_all(written))
sparse.upsert(served, written)
EdgeCatalogue(data).promote(served)
print("promoted", flush=True)
batch = 0
while True:
    of = doomed if batch % 2 else served  # the one in service is written to as well
    more = passages(of, [f"Batch {batch} line {number}." for number in range(200)])
    dense.upsert(of, more, embed_all(more))
    sparse.upsert(of, more)
    batch += 1
    print("batch", flush=True)
"""


def test_what_serves_survives_a_kill(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    tests = Path(__file__).parents[3]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": str(tests)}) as writer:
        assert writer.stdout is not None
        assert [writer.stdout.readline() for _ in range(4)] == ["promoted\n", *["batch\n"] * 3]
        writer.kill()
    data = DataFolder(tmp_path)
    dense, sparse, catalogue = EdgeDense(data), EdgeSparse(data), EdgeCatalogue(data)
    served = catalogue.in_service(manifest().corpus)
    assert served == manifest()
    query = "Rule 7 on refunds."
    (near,), (worded,) = dense.search(served, embed([query]), 5), sparse.search(served, [query], 5)
    assert near[0].passage.text == worded[0].passage.text == query
    assert dense.count(served) >= 50 + 200
    names = [one.generation for one in catalogue.generations(served.corpus)]
    assert next_generation(names) == "g3"
    third = manifest(generation="g3")
    dense.create(third)
    more = passages(third, ["Anew."])
    dense.upsert(third, more, embed_all(more))
    assert dense.count(third) == 1
    dense.drop(manifest(generation="g2"))
    sparse.drop(manifest(generation="g2"))
    assert [one.generation for one in catalogue.generations(served.corpus)] == ["g1", "g3"]
    for leg in (dense, sparse):
        leg.close()
    data.close()
