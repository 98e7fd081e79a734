"""The same fleet on a real Ray cluster of several node processes, one of whose workers is killed."""

import json
import os
import signal
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.llm.endpoint import answer, served
from tests.cli.test_distil import GOOD
from tests.exploration.toy import Toy
from tests.parts.test_fleet import NAMES, PAGES, shown, stored
from waypost.parts.distilling import DistilRequest, distilled
from waypost.parts.face import open_map
from waypost.parts.fleet import Cluster, FleetProgress, FleetRequest, fleet
from waypost.parts.models import ModelOptions, from_cluster

pytestmark = [
    pytest.mark.long,
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="needs the extra `fleet`"),
    pytest.mark.filterwarnings("ignore"),
]


def test_a_cluster_of_several_nodes_makes_the_same_map_and_outlives_a_killed_worker(tmp_path: Path) -> None:
    ray: Any = import_module("ray")
    made_cluster: Any = import_module("ray.cluster_utils").Cluster

    fleet([Toy(PAGES)], tmp_path / "alone", FleetRequest(pictures=False))
    nodes = made_cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        nodes.add_node(num_cpus=1)
        ray.init(address=nodes.address, log_to_driver=False)
        assert len(ray.nodes()) == 2
        made: list[Cluster] = []

        def crew(devices: object) -> Cluster:
            made.append(Cluster([Toy(PAGES) for _ in range(3)]))
            return made[0]

        killed: list[int] = []

        def watch(now: FleetProgress) -> None:
            if now.pages > 3 and not killed:
                killed.append(made[0].workers.pid(2))
                os.kill(killed[0], signal.SIGKILL)

        done = fleet([Toy(PAGES)], tmp_path / "m", FleetRequest(pictures=False), crew=crew, progress=watch)
        assert killed
        assert (done.stop_reason, done.pages) == ("complete", len(NAMES))
        assert shown(stored(tmp_path / "m")) == shown(stored(tmp_path / "alone"))
        with served([answer(json.dumps(GOOD))] * 99) as endpoint:
            cache = tmp_path / "replies"
            told = ModelOptions("vlm", f"{endpoint.url}", workers=2, cache=cache)
            with open_map(tmp_path / "m") as known, from_cluster(told, "") as model:
                found = distilled(known, model, DistilRequest(workers=2))
                assert found.counts()["written"] == len(found.pages) == len(endpoint.asked) > 3
                assert model.spent()["calls"] == len(endpoint.asked)
    finally:
        ray.shutdown()
        nodes.shutdown()
