"""The mean of several networks' weights as a model file."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra 'train'")

from safetensors.numpy import load, load_file, save
from typer.testing import CliRunner

from hansa_agents import networks
from hansa_env import Ruleset
from hansa_env.commands.cli import app
from hansa_training.agent import load_player
from hansa_training.model_file import describe, model_bytes
from hansa_training.networks import new_policy
from hansa_training.sizes import NETWORKS

THREE = Ruleset(3)
SHIPPED = Path(str(networks.FOLDER)) / "3-players.safetensors"


def model(path: Path, ruleset: Ruleset = THREE, network: str = "board") -> Path:
    """A model file of a new network."""
    path.write_bytes(model_bytes(new_policy(ruleset, NETWORKS[network]), ruleset, NETWORKS[network]))
    return path


def blend(*given: str | Path) -> tuple[int, str]:
    run = CliRunner().invoke(app, ["blend", *map(str, given)])
    return run.exit_code, " ".join(run.output.split())


def test_every_weight_is_the_mean_by_shares_and_the_file_is_a_model(tmp_path: Path) -> None:
    other, out = model(tmp_path / "other.safetensors", network="board-large"), tmp_path / "mean.safetensors"
    code, said = blend(f"{SHIPPED}=0.75", f"{other}=0.25", "--out", out)
    assert code == 0 and f"hansa arena ppo:{out}" in said, said
    one, two, mean = load_file(SHIPPED), load_file(other), load_file(out)
    assert mean.keys() == one.keys() and len(mean) > 10
    for name in mean:
        assert mean[name].dtype == np.float32
        np.testing.assert_allclose(mean[name], 0.75 * one[name].astype(np.float64) + 0.25 * two[name], atol=1e-6)
    load_player(out, THREE)


def test_the_projects_own_network_may_be_among_others_by_its_name(tmp_path: Path) -> None:
    files = f"{SHIPPED}=0.75", f"{model(tmp_path / 'other.safetensors', network='board-large')}=0.25"
    assert blend(*files, "--out", tmp_path / "a.safetensors")[0] == 0
    for name, out in (("ppo", "b"), ("ppo:1", "c")):
        code, said = blend(f"{name}=0.75", files[1], "--out", tmp_path / f"{out}.safetensors")
        assert code == 0, said
        assert (tmp_path / f"{out}.safetensors").read_bytes() == (tmp_path / "a.safetensors").read_bytes()
    code, said = blend("ppo=0.5", "ppo=0.5", "--out", tmp_path / "d.safetensors")
    assert code == 2 and "ppo ppo: the project has a network for each game; expected a model file or a run's folder" in said


def test_a_path_may_hold_the_sign_of_shares(tmp_path: Path) -> None:
    other = model(tmp_path / "rate=1.safetensors")
    assert blend(f"{other}=0.5", f"{other}=0.5", "--out", tmp_path / "mean.safetensors")[0] == 0
    before, after = load(other.read_bytes()), load_file(tmp_path / "mean.safetensors")
    assert all((before[name] == after[name]).all() for name in before)


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        (("=0.5",), "the shares are 0.5; expected at least two, each above 0, that sum to 1"),
        (("=0.5", "=0.6"), "the shares are 0.5 0.6; expected at least two"),
        (("=1.5", "=-0.5"), "the shares are 1.5 -0.5; expected"),
        (("=1", "=0"), "the shares are 1 0; expected"),
        (("", "=0.5"), "is no model with its share; expected MODEL=SHARE, such as runs/ppo=0.7"),
        (("=half", "=0.5"), "is no model with its share"),
        (("=nan", "=0.5"), "is no model with its share"),
        (("=inf", "=0.5"), "is no model with its share"),
    ],
)
def test_shares_that_make_no_mean_are_refused(tmp_path: Path, shares: tuple[str, ...], expected: str) -> None:
    out = tmp_path / "mean.safetensors"
    code, said = blend(*(f"{SHIPPED}{share}" for share in shares), "--out", out)
    assert code == 2 and expected in said and not out.exists()


def test_networks_that_do_not_fit_each_other_are_refused(tmp_path: Path) -> None:
    out, small = tmp_path / "mean.safetensors", model(tmp_path / "small.safetensors", network="board-small")
    for other, expected in (
        (SHIPPED.with_name("4-players.safetensors"), "trained for"),
        (small, "its network is"),
        (tmp_path / "none.safetensors", "none.safetensors"),
    ):
        code, said = blend(f"{SHIPPED}=0.5", f"{other}=0.5", "--out", out)
        assert code == 2 and expected in said and not out.exists()


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    broken, out = tmp_path / "broken.safetensors", tmp_path / "mean.safetensors"
    weights = load(SHIPPED.read_bytes())
    weights["route_own" if "route_own" in weights else next(iter(weights))][:] = np.nan
    broken.write_bytes(save(weights, {"hansa": describe(THREE, NETWORKS["board"]).model_dump_json()}))
    code, said = blend(f"{SHIPPED}=0.5", f"{broken}=0.5", "--out", out)
    assert code == 2 and "broken.safetensors" in said and not out.exists()
