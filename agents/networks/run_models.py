"""Where the folder of a training run keeps its models."""

from __future__ import annotations

from pathlib import Path

#: The last one's file, in the folder and in each checkpoint; and the folder of those on the way.
MODEL, MILESTONES = "model.safetensors", "milestones"


def milestone_file(decisions: int) -> str:
    """The file of the model after so many decisions, within the run's folder."""
    return f"{MILESTONES}/{decisions:011d}.safetensors"


def milestones_in(run: Path) -> list[Path]:
    """The models on the way, the first ones first."""
    return sorted((run / MILESTONES).glob("*.safetensors"))
