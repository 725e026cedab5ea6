"""Which tests run with --quick, what they cost, and which modules they simulate.

`--quick` is what CI runs. Of each test function it keeps the first parameter set, or those that the marker
`quick` names: `@pytest.mark.quick("512")` keeps the sets with 512 in their name, `@pytest.mark.quick` all of
them. `@pytest.mark.long` marks what only the whole run has. In a quick run of all blocks, every module of
rtl/ that no test simulates is an error; scripts/check_rtl_tests.py says which tests outside of Python count.

At the end comes the list of simulated modules; `--costs` adds the processor time of each test, which, unlike
`--durations`, does not depend on what else the machine does.
"""

import os
import re
import resource
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from testing import simulation

RTL = Path(__file__).resolve().parent
sys.path.insert(0, str(RTL.parent / "scripts"))

# For the tests of a quick run, unless the environment has others: sizes of random tests.
QUICK_SIZES = {"WW_QUICK": "1", "WW_PIEO_OPERATIONS": "20000", "WW_MMU_OPERATIONS": "10000"}

costs: dict[str, float] = {}
judges: dict[str, set[str]] = defaultdict(set)


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="the tests that CI runs")
    parser.addoption("--costs", action="store_true", help="processor seconds of each test")


def pytest_configure(config):
    config.addinivalue_line("markers", "quick(*names): parameter sets that --quick keeps, all if none is named")
    config.addinivalue_line("markers", "long: not in the tests of --quick")
    if config.getoption("--quick"):
        for name, value in QUICK_SIZES.items():
            os.environ.setdefault(name, value)


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--quick"):
        return
    kept, dropped, seen = [], [], set()
    for item in items:
        (kept if _is_quick(item, seen) else dropped).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=dropped)


def _is_quick(item, seen: set) -> bool:
    """Whether --quick keeps a test; `seen` has the functions of which one is kept already."""
    if item.get_closest_marker("long"):
        return False
    if marker := item.get_closest_marker("quick"):
        name = item.name.partition("[")[2].removesuffix("]")
        return not marker.args or any(wanted in name for wanted in marker.args)
    function = (item.path, item.originalname)
    first = function not in seen
    seen.add(function)
    return first


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    simulation.simulated.clear()
    before = _processor_seconds()
    yield
    # Worker processes hand these on with the report.
    item.user_properties.append(("processor_seconds", _processor_seconds() - before))
    item.user_properties.append(("modules", sorted(simulation.simulated)))


def _processor_seconds() -> float:
    uses = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


def pytest_runtest_logreport(report):
    if report.when != "call":
        return
    properties = dict(report.user_properties)
    costs[report.nodeid] = properties.get("processor_seconds", 0.0)
    if report.passed:
        for module in properties.get("modules", []):
            judges[module].add(report.nodeid)


def pytest_sessionfinish(session):
    config = session.config
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    config.unsimulated = _unsimulated(config)
    if config.unsimulated:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _unsimulated(config) -> list[str]:
    """Modules that nothing has simulated, in a quick run of all blocks."""
    whole = not config.option.keyword and not config.option.markexpr and config.args in ([], ["rtl"])
    if not config.getoption("--quick") or not whole:
        return []
    from check_rtl_tests import simulated_in_rust

    modules = {path.stem for path in RTL.glob("*/ww_*.sv") if re.search(r"^module ", path.read_text(), re.M)}
    return sorted(modules - set(judges) - set(simulated_in_rust()))


def pytest_terminal_summary(terminalreporter, config):
    ours = {path.stem: path.parent.name for path in RTL.glob("*/ww_*.sv")}
    folders = defaultdict(list)
    for module in sorted(set(judges) & set(ours)):
        folders[ours[module]].append(f"{module} ({len(judges[module])})")
    if folders:
        terminalreporter.section("modules simulated, with the number of tests")
        for folder, modules in sorted(folders.items()):
            terminalreporter.line(f"{folder}: {', '.join(modules)}")
    if config.getoption("--costs"):
        terminalreporter.section("processor seconds")
        for test, seconds in sorted(costs.items(), key=lambda pair: -pair[1]):
            terminalreporter.line(f"{seconds:7.1f}  {test}")
    if costs:
        total = sum(costs.values())
        modules = sum(map(len, folders.values()))
        terminalreporter.line(f"{modules} modules simulated, {total:.0f} processor seconds in {len(costs)} tests")
    for module in getattr(config, "unsimulated", []):
        terminalreporter.line(f"{module}: no test simulates it")
