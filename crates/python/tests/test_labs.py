"""The package against the command line, and tables against results."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import wirewright
from wirewright.sweeps import settings

ROOT = Path(__file__).resolve().parents[3]
WW = os.environ.get("WW", str(ROOT / "target/debug/ww"))


def command(*arguments):
    done = subprocess.run([WW, "lab", *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done


def test_results_are_those_of_the_command_line(tmp_path):
    results = wirewright.run(ROOT / "labs/hello", quick=True, out=tmp_path / "python", workers=2)
    command("run", ROOT / "labs/hello", "--quick", "--out", tmp_path / "command")
    ours, theirs = (tmp_path / name / "results.json" for name in ("python", "command"))
    assert ours.read_bytes() == theirs.read_bytes()
    assert results.json == json.loads(theirs.read_text())
    assert wirewright.load(tmp_path / "command").json == results.json
    assert results.met


def test_tables_agree_with_the_figures():
    results = wirewright.run(ROOT / "labs/hello", quick=True)
    packets = results.packets
    stream = packets[packets.traffic == "stream"]
    assert len(stream) == results["traffic.stream.packets.delivered"]
    latency = (stream.arrived_ps - stream.sent_ps).mean() / 1e6
    assert latency == pytest.approx(results["traffic.stream.latency_us.mean"])
    assert results.flows.received_bytes.sum() == 2_500_000
    assert results.interval("traffic.stream.latency_us.mean") is None
    [(count,)] = results.sql("select count(*) from flows where end_ps is not null").fetchall()
    assert count == results["traffic.file.flows.finished"]


def test_figures_have_paths():
    results = wirewright.run(ROOT / "labs/hello", quick=True, set={"traffic.stream.rate": "2 Mb/s"})
    assert all(isinstance(results[path], (int, float, type(None), str, list)) for path in results.paths())
    with pytest.raises(KeyError, match="strean"):
        results["traffic.strean"]
    with pytest.raises(KeyError, match="queues"):
        results.table("queues")
    assert "2 Mb/s" in json.dumps(results.json["set"])
    assert "<table>" in results._repr_html_()


def test_mistakes_are_values_errors(tmp_path):
    (tmp_path / "lab.toml").write_text('title = "x"\n[run]\ndurtion = "1 ms"\n')
    with pytest.raises(ValueError, match=r"lab.toml:3:1.*durtion"):
        wirewright.check(tmp_path)
    with pytest.raises(ValueError, match="duration"):
        wirewright.run(tmp_path)
    wirewright.check(ROOT / "labs/hello")


def test_settings_as_the_command_line_takes_them():
    assert settings({"a.b": 0.5, "c": "1 Gb/s", "d": True, "e": ["x", 2]}) == [
        "a.b=0.5",
        'c="1 Gb/s"',
        "d=true",
        'e=["x", 2]',
    ]


OVER = {"traffic.stream.rate": ["1 Mb/s", "2 Mb/s"], "run.seed": [1, 2]}
ON_COMMAND_LINE = ["--quick", "--over", 'traffic.stream.rate="1 Mb/s","2 Mb/s"', "--over", "run.seed=1,2"]


@pytest.fixture(scope="module")
def scheduler():
    """The address of a scheduler with two workers, each a process."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


def files(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_sweeps_on_a_cluster_write_the_same_bytes(tmp_path, scheduler):
    said = command("sweep", ROOT / "labs/hello", *ON_COMMAND_LINE, "--out", tmp_path / "here")
    assert said.returncode == 0 and "4 points, 0 of them from before" in said.stdout
    there = ["sweep", ROOT / "labs/hello", *ON_COMMAND_LINE, "--out", tmp_path / "there", "--dask", scheduler]
    said = command(*there)
    assert said.returncode == 0 and "4 points, 0 of them from before" in said.stdout
    here = files(tmp_path / "here")
    assert sum(name.endswith("results.json") for name in here) == 4
    assert sum(name.endswith(".parquet") for name in here) >= 8
    assert files(tmp_path / "there") == here
    # What is missing, and only that, is run when it goes on, wherever.
    gone = next(name for name in here if name.endswith("results.json"))
    (tmp_path / "there" / gone).unlink()
    said = command(*there)
    assert "4 points, 3 of them from before" in said.stdout
    assert files(tmp_path / "there") == here


def test_sweeps_from_python(tmp_path, scheduler):
    here = wirewright.sweep(ROOT / "labs/hello", OVER, quick=True)
    there = wirewright.sweep(ROOT / "labs/hello", OVER, quick=True, out=tmp_path, scheduler=scheduler)
    values = [{"traffic.stream.rate": rate, "run.seed": seed} for rate in ("1 Mb/s", "2 Mb/s") for seed in (1, 2)]
    assert [values for values, _ in here] == values == [values for values, _ in there]
    assert [results.json for _, results in here] == [results.json for _, results in there]
    assert files(here[0][1].folder.parent.parent) == files(tmp_path)
    sent = [results["traffic.stream.packets.sent"] for _, results in here]
    # Packets of 1,000 bytes in the same time: twice as many at twice the rate, but for the last one.
    assert sent[2] in (2 * sent[0], 2 * sent[0] - 1)
    assert len(here[3][1].packets) == len(there[3][1].packets) > 0


def test_what_a_cluster_cannot_do_is_told(tmp_path, scheduler):
    over = ["--over", "run.seed=1,2", "--quick", "--out", tmp_path / "out"]
    said = command("sweep", ROOT / "labs/hello", *over, "--dask", "tcp://127.0.0.1:1")
    assert said.returncode == 1 and "127.0.0.1:1" in said.stderr
    # -S: without the packages of the environment.
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(0o755)
    arguments = [WW, "lab", "sweep", ROOT / "labs/hello", *over, "--dask", scheduler]
    done = subprocess.run(arguments, capture_output=True, text=True, env={**os.environ, "WW_PYTHON": bare}, check=False)
    assert done.returncode == 1 and "wirewright[dask]" in done.stderr
    # A program outside of the lab's folder is not sent to workers.
    lab = tmp_path / "lab"
    shutil.copytree(ROOT / "labs/hello", lab)
    (lab / "router.p4").rename(tmp_path / "router.p4")
    text = (lab / "lab.toml").read_text()
    (lab / "lab.toml").write_text(text.replace('"router.p4"', '"../router.p4"'))
    assert command("sweep", lab, *over).returncode == 0
    shutil.rmtree(tmp_path / "out")
    said = command("sweep", lab, *over, "--dask", scheduler)
    assert said.returncode == 1 and "router.p4" in said.stderr and "run.seed=" in said.stderr
    with pytest.raises(RuntimeError, match="router.p4"):
        wirewright.sweep(lab, {"run.seed": [1]}, quick=True, scheduler=scheduler)
