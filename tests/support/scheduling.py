"""How xdist shares tests out: as `--dist loadgroup` does, forgetting what is done."""

from __future__ import annotations

from xdist.scheduler import LoadGroupScheduling
from xdist.workermanage import WorkerController


class Scheduling(LoadGroupScheduling):  # type: ignore[misc]
    """xdist 3.8 counts after each test what is left of all that a process was ever given: over ten
    thousand tests, that takes longer than all else it does.
    """

    def mark_test_complete(
        self, node: WorkerController, item_index: int, duration: float = 0
    ) -> None:
        """A process has done one of its tests; no unit of work is kept that is done."""
        name = self.registered_collections[node][item_index]
        units = self.assigned_work[node]
        unit = self._split_scope(name)
        units[unit][name] = True
        if all(units[unit].values()):
            del units[unit]
        self._reschedule(node)
