"""SECURITY.md, sentence by sentence: each has the tests that show it, or is said to be advice."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.packages import PACKAGES, ROOT

ADVICE: list[str] = []  # of a sentence that claims nothing of this project
GIFTS, MODEL, TABLE = "tests/test_gifts.py::", "tests/training/test_model_file.py::", "tests/table/"
MUTANTS = ["tests/formats/test_mutants.py::test_no_wrong_file_is_taken_and_no_error_is_raw"]
HERE = "tests/test_security.py::"

#: How each sentence, and each row of its table, begins; and what shows it.
SENTENCES: list[tuple[str, list[str]]] = [
    ("a model file of this project", [f"{MODEL}test_a_broken_file_is_refused_in_one_line", *MUTANTS]),
    ("a run's folder", [f"{GIFTS}test_a_plan_does_not_choose_code", f"{GIFTS}test_a_checkpoint_does_not_choose_code",
        f"{GIFTS}test_rounds_of_best_responses_do_not_choose_code", f"{GIFTS}test_the_result_of_a_run_does_not_choose_code",
        *MUTANTS]),
    ("a plan, TOML", [f"{GIFTS}test_a_plan_does_not_choose_code", *MUTANTS]),
    ("a game's record", [f"{GIFTS}test_a_record_does_not_choose_code", *MUTANTS]),
    ("results of games", [f"{GIFTS}test_a_ladder_does_not_choose_code", *MUTANTS]),
    ("a dataset", ["tests/play/test_dataset.py::test_a_file_with_a_pickle_runs_nothing", *MUTANTS]),
    ("games of the table", [
        f"{GIFTS}test_a_file_of_games_at_the_table_does_not_choose_code",
        f"{TABLE}test_strange_file.py::test_what_the_table_would_not_make_is_refused"]),
    ("an archive by Stable-Baselines3", [f"{MODEL}test_an_archive_is_not_opened_without_trust", *MUTANTS]),
    ("What this project saves is numbers", [f"{HERE}test_nothing_is_pickled"]),
    ("a network as ONNX", ["tests/training/test_export.py::test_what_is_no_plain_network_is_refused_before_it_is_run"]),
    ("puzzles", ["tests/agents/puzzles/test_puzzle_file.py::test_what_does_not_fit_is_refused_with_its_line"]),
    ("openings", ["tests/formats/test_openings.py::test_what_is_wrong_is_told_by_line"]),
    ("styles of scripted players", ["tests/agents/test_population.py::test_a_wrong_file_of_styles_is_refused"]),
    ("a row of the leaderboard", ["tests/agents/benchmark/test_rows.py::test_nothing_of_a_row_is_run"]),
    ("An ONNX graph is a little program", [
        "tests/training/test_export.py::test_what_is_no_plain_network_is_refused_before_it_is_run"]),
    ("Before onnxruntime is given one", [
        "tests/training/test_export.py::test_what_is_no_plain_network_is_refused_before_it_is_run",
        "tests/training/test_export.py::test_what_is_no_onnx_at_all_is_refused"]),
    ("All of this happens in a process", [
        "tests/training/test_export.py::test_a_file_over_which_the_libraries_end_the_process_is_refused",
        "tests/training/test_export.py::test_a_file_that_takes_for_ever_is_refused", *MUTANTS]),
    ("None of it is pickled", [f"{HERE}test_nothing_is_pickled"]),
    ("What a model file says of itself", [
        f"{MODEL}test_a_model_file_for_another_game_is_refused",
        f"{MODEL}test_weights_that_are_not_of_their_network_are_refused",
        f"{MODEL}test_actions_of_other_meaning_are_refused_even_when_the_sizes_fit"]),
    ("Sizes are known and bounded", [
        f"{MODEL}test_a_network_is_compared_with_its_weights_before_it_is_made",
        "tests/agents/test_refused_results.py::test_what_grows_without_end_is_refused_at_once",
        "tests/play/test_dataset.py::test_arrays_are_not_made_before_their_size_is_known",
        "tests/agents/test_population.py::test_no_more_is_made_of_a_file_of_styles_than_it_may_have",
        f"{TABLE}test_strange_file.py::test_a_value_of_more_bytes_than_any_game_has_is_not_read"]),
    ("A field that stands twice", [
        "tests/agents/test_refused_results.py::test_a_field_given_twice_is_refused",
        "tests/formats/test_records.py::test_a_field_given_twice_is_refused_wherever_records_are_read",
        "tests/training/test_lost_checkpoints.py::test_a_field_given_twice_is_refused",
        f"{TABLE}test_strange_file.py::test_a_field_given_twice_is_refused", *MUTANTS]),
    ("So are names and other free text", [
        "tests/test_terminal.py::test_files_do_not_speak_to_the_terminal",
        "tests/test_terminal.py::test_errors_do_not_speak_to_the_terminal"]),
    ("`python -m tests.formats.mutants`", MUTANTS),
    ("A checkpoint has a SHA-256", ["tests/training/test_run_folder.py::test_a_torn_checkpoint_is_passed_over_with_a_line"]),
    ("They tell a torn file", ["tests/training/test_run_folder.py::test_a_torn_checkpoint_is_passed_over_with_a_line"]),
    ("They do not tell who wrote it", ADVICE),
    ("A checkpoint also has the games", ["tests/training/test_state.py::test_games_of_another_record_layout_are_refused"]),
    ("Before a run goes on", [
        "tests/training/test_lost_checkpoints.py::test_bytes_that_are_no_game_are_refused_before_the_rules_see_them",
        "tests/formats/test_check_game.py::test_every_field_of_a_record_is_looked_at", *MUTANTS]),
    ("Of the decisions that wait", [
        "tests/training/test_lost_checkpoints.py::test_decisions_that_wait_are_checked_before_they_are_learned_from",
        "tests/training/test_lost_checkpoints.py::test_two_decisions_that_wait_are_of_two_seats"]),
    ("To let a run's agent play", ["tests/training/test_job.py::test_folder_checkpoint_and_file_play_the_same_without_trust"]),
    ("Links in a run's folder", ["tests/training/test_run_folder.py::test_links_lead_no_run_out_of_its_folder"]),
    ("Plans, records, ladders", [f"{GIFTS}test_what_runs_code_has_to_be_named"]),
    ("Such a spec may be", [f"{GIFTS}test_what_is_installed_or_data_need_not_be_named"]),
    ("`module:Class` runs a module", [
        f"{GIFTS}test_a_run_goes_on_with_code_that_is_named_again",
        f"{GIFTS}test_a_record_goes_on_with_code_that_is_named_again",
        f"{GIFTS}test_a_ladder_with_code_that_is_named_again"]),
    ("An agent in a `mixture:`", ["tests/agents/test_mixture.py::test_a_file_cannot_hide_code_in_a_mixture"]),
    ("The function that says what games", [
        f"{GIFTS}test_a_plan_does_not_choose_the_function_that_says_what_games_are_worth"]),
    ("Else they are refused", [
        f"{GIFTS}test_a_record_does_not_choose_code", f"{GIFTS}test_a_ladder_does_not_choose_code",
        f"{GIFTS}test_a_plan_does_not_choose_code"]),
    ('`model.save("mine.zip")`', [f"{MODEL}test_an_archive_is_not_opened_without_trust"]),
    ("Therefore an archive is not loaded", [
        f"{MODEL}test_an_archive_is_not_opened_without_trust", f"{MODEL}test_a_model_saved_by_a_user_plays_when_trusted",
        *MUTANTS]),
    ("Say so for archives", ADVICE),
    ("`HANSA_TRUST=1` trusts every archive", [
        f"{MODEL}test_the_environment_can_trust_everything",
        f"{GIFTS}test_an_archive_that_only_a_file_names_is_opened_where_the_environment_trusts_them_all"]),
    ("An archive that is trusted still", [f"{MODEL}test_an_archive_for_another_game_is_refused_with_its_sizes"]),
    ("TensorBoard, PyTorch", ADVICE),
    ("A run writes into its folder only", [
        f"{HERE}test_a_run_writes_into_its_folder_and_opens_no_connection",
        "tests/training/test_run_folder.py::test_links_lead_no_run_out_of_its_folder"]),
    ("Its lock keeps two processes", ["tests/training/test_run_folder.py::test_a_folder_is_one_process_at_a_time"]),
    ("Only `hansa table` listens", [
        f"{HERE}test_only_the_table_knows_of_the_network", f"{HERE}test_a_run_writes_into_its_folder_and_opens_no_connection"]),
    ("Ray listens and connects", [f"{HERE}test_only_the_table_knows_of_the_network"]),
    ("The ranks of one run", [f"{HERE}test_only_the_table_knows_of_the_network"]),
    ("Weights & Biases and MLflow", [
        "tests/training/test_watch.py::test_wandb_keeps_a_run_offline",
        "tests/training/test_watch.py::test_mlflow_has_the_figures_of_a_run_and_of_its_parts_one_run"]),
    ("`hansa table` listens at the loopback", [
        f"{TABLE}test_command.py::test_another_address_than_the_loopback_one_is_said_loudly"]),
    ("What it guards against", ADVICE),
    ("Others at the machine", ADVICE),
    ("The link that it prints has a key", [f"{TABLE}test_command.py::test_the_link_lets_the_host_in_and_nobody_else"]),
    ("The key stays in a cookie", [f"{TABLE}test_command.py::test_one_browser_is_the_host_of_two_tables"]),
    ("It is kept in the file of games", [
        f"{TABLE}test_strange_file.py::test_nobody_else_at_the_machine_reads_the_file",
        f"{TABLE}test_strange_file.py::test_a_key_that_the_table_would_not_make_is_none"]),
    ("Who made a file of games", ADVICE),
    ("Guests and watchers have links", [
        f"{TABLE}test_refusals.py::test_after_all_that_the_game_stands_as_it_did",
        f"{TABLE}test_refusals.py::test_sockets_without_a_link_hear_nothing"]),
    ("Other pages in your browser", ADVICE),
    ("Requests and sockets must name", [
        f"{TABLE}test_refusals.py::test_other_sites_are_kept_out", f"{TABLE}test_refusals.py::test_the_own_page_is_let_in"]),
    ("Agents by spec", ADVICE),
    ("A page can ask for the agents", [f"{TABLE}test_kept_games.py::test_a_page_cannot_ask_for_agents_that_run_code"]),
    ("What runs code from a file", [f"{TABLE}test_kept_games.py::test_a_page_cannot_ask_for_agents_that_run_code"]),
    ("The file in which games are kept", [
        f"{GIFTS}test_a_file_of_games_at_the_table_does_not_choose_code",
        f"{TABLE}test_agent_pool.py::test_who_was_not_named_at_the_start_is_not_asked_whatever_the_file_of_games_says"]),
    ("Connections that only wait", ADVICE),
    ("A request has 30 seconds", [
        f"{TABLE}test_connections.py::test_a_request_that_comes_a_byte_at_a_time_ends",
        f"{TABLE}test_connections.py::test_of_too_many_connections_the_one_that_waits_longest_gives_way",
        f"{TABLE}test_connections.py::test_connections_that_say_nothing_keep_nobody_out"]),
    ("One link to a game may use", [f"{TABLE}test_connections.py::test_one_link_does_not_take_all_connections"]),
    ("What is hidden", ADVICE),
    ("Agents that are asked what they", [
        f"{TABLE}test_knowledge.py::test_estimates_of_a_running_game_do_not_change_with_what_is_hidden"]),
    ("A decision that showed something hidden", [
        f"{TABLE}test_take_back.py::test_what_showed_a_marker_goes_back_when_the_others_agree",
        f"{TABLE}test_take_back.py::test_it_stands_when_somebody_says_so"]),
    ("No page and no message holds", [f"{TABLE}test_view.py::test_what_a_seat_is_sent_holds_nothing_that_is_hidden"]),
    ("A running game is saved", [
        f"{TABLE}test_kept_games.py::test_what_is_saved_of_a_running_game_tells_nothing_that_is_hidden"]),
    ("There is no encryption", ADVICE),
    ("By such a name the key's cookie", [
        f"{TABLE}test_guard.py::test_the_cookie_of_a_name_behind_a_proxy_goes_over_https_only",
        f"{TABLE}test_guard.py::test_who_comes_through_a_proxy_is_let_in_and_other_sites_are_not"]),
    ("`X-Forwarded-Proto` and the like", [
        f"{TABLE}test_guard.py::test_the_cookie_of_a_name_behind_a_proxy_goes_over_https_only"]),
    ("A proxy must not log queries", ADVICE),
    ("Compiled rules are cached", [
        "tests/engine/test_cache_place.py::"
        "test_code_is_kept_in_the_users_cache_or_else_beside_the_sources_or_where_the_variable_says",
        "tests/engine/test_cache.py::test_installations_share_the_code_in_the_users_cache",
        "tests/engine/test_cache.py::test_where_nothing_can_be_written_one_warning_names_the_variable"]),
    ("Such a cache is code", ADVICE),
    ("If you find a way", ADVICE),
]  # fmt: skip


@cache
def sentences() -> list[str]:
    """The sentences and the rows of the table, without marks of emphasis."""
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    text = re.sub(r"^```.*?^```\n", "\n", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^\* ", "\n", text, flags=re.MULTILINE).replace("**", "")
    found = []
    for block in re.split(r"\n\s*\n", text):
        if block.lstrip().startswith("|"):
            found += [row.strip("| ") for row in block.strip().splitlines()[2:]]
        elif not block.startswith("#"):
            found += re.split(r"(?<=[.])\s+(?=[A-Z`])", " ".join(block.split()))
    parts = [part for sentence in found for part in re.split(r"(?<=in red\.) ", sentence)]
    return [part for part in parts if part]


def test_every_sentence_has_its_tests_and_every_entry_its_sentence() -> None:
    begins = [begin for begin, _ in SENTENCES]
    lost = [sentence for sentence in sentences() if sum(sentence.startswith(begin) for begin in begins) != 1]
    assert not lost, "sentences of SECURITY.md without a test: enter them above"
    gone = [begin for begin in begins if not any(sentence.startswith(begin) for sentence in sentences())]
    assert not gone, "these sentences are gone"


@pytest.mark.parametrize("test", sorted({test for _, tests in SENTENCES for test in tests}))
def test_what_shows_a_sentence_is_there(test: str) -> None:
    file, _, name = test.partition("::")
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    assert name in [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def imports() -> dict[str, set[str]]:
    """The modules that each source file imports, by their names and by those of the packages they are of."""
    found = {}
    for package in PACKAGES.values():
        for path in sorted((ROOT / package).rglob("*.py")):
            names = set()
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    names |= {part for alias in node.names for part in (alias.name, alias.name.split(".")[0])}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    names |= {node.module.split(".")[0], *(f"{node.module}.{alias.name}" for alias in node.names)}
            found[str(path.relative_to(ROOT))] = names
    return found


def test_nothing_is_pickled() -> None:
    pickling = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve"}
    # Agents that are given made, questions and answers go to other processes by pickle; none of it comes from a file.
    sending = {
        "agents/worker_processes.py", "agents/ray_cluster.py", "agents/in_agent_process.py", "agents/agent_processes.py",
        "hansa_env/play/process.py",
    }  # fmt: skip
    assert {path for path, names in imports().items() if names & pickling} <= sending
    for path in sending:
        assert not re.search(r"pickle\.(load|dump)\(", (ROOT / path).read_text("utf-8"))
    for package in PACKAGES.values():
        for source in (ROOT / package).rglob("*.py"):
            text = source.read_text("utf-8")
            assert "torch.load(" not in text and "torch.save(" not in text and "allow_pickle=True" not in text, source


def test_only_the_table_knows_of_the_network() -> None:
    network = {"socket", "urllib", "http", "requests", "httpx", "ftplib", "smtplib", "asyncio", "uvicorn", "webbrowser", "ray",
               "torch.distributed", "wandb", "mlflow"}  # fmt: skip
    knowing = {path for path, names in imports().items() if names & network}
    others = {path for path in knowing if not path.startswith("hansa_env/table/")}
    by_ray = {"agents/ray_cluster.py", "training/on_ray.py", "training/ray_rank.py"}
    assert others == by_ray | {"training/ranks.py", "training/watch.py", "training/run_folder.py"}
    text = (ROOT / "training/run_folder.py").read_text("utf-8")
    assert re.findall(r"socket\.\w+", text) == ["socket.gethostname"]


WATCHED = """
import os, sys, tempfile
from pathlib import Path

seen = []

def watch(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.sendto"):
        seen.append((event, str(arguments[1:])))
    elif event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
        path, mode, flags = os.fsdecode(arguments[0]), arguments[1], arguments[2]
        if (mode and set(mode) & set("wax+")) or (flags and flags & (os.O_WRONLY | os.O_RDWR)):
            seen.append((event, os.path.abspath(path)))
    elif event in ("os.mkdir", "os.remove", "os.rename", "os.rmdir", "shutil.rmtree"):
        place = {"os.mkdir": 2, "os.remove": 1, "os.rmdir": 1}.get(event)  # of the folder that a name is relative to, if any
        within = arguments[place] if place is not None and len(arguments) > place else -1
        folder = os.readlink(f"/proc/self/fd/{within}") if isinstance(within, int) and within >= 0 else os.getcwd()
        seen.append((event, os.path.join(folder, os.fsdecode(arguments[0]))))

sys.addaudithook(watch)
from hansa_training.begin import train
from tests.training.tiny import SHORT

train(Path("run"), options=SHORT)
for event, what in seen:
    print("SEEN", event, what)
"""


def test_a_run_writes_into_its_folder_and_opens_no_connection(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra 'train'")
    from hansa_training.begin import train
    from tests.training.tiny import SHORT

    train(tmp_path / "before", options=SHORT)  # what a run compiles is kept from now on
    command = [sys.executable, "-c", WATCHED]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=_environment(tmp_path))
    assert done.returncode == 0, done.stderr[-2000:]
    seen = [line.split(" ", 2)[1:] for line in done.stdout.splitlines() if line.startswith("SEEN")]
    run = str(tmp_path / "run")
    assert any(what.startswith(f"{run}/checkpoints") for _, what in seen), "the watch sees what is written"
    caches = "numba", "__pycache__", "matplotlib", "torch", "/dev/null", str(tmp_path / "libraries")
    elsewhere = [(event, what) for event, what in seen if not what.startswith(run) and not any(one in what for one in caches)]
    assert elsewhere == []


def _environment(folder: Path) -> dict[str, str]:
    """This process's, with what libraries write for themselves in a folder of its own."""
    (folder / "libraries").mkdir()
    own = {"TMPDIR": str(folder / "libraries"), "MPLCONFIGDIR": str(folder / "libraries"), "PYTHONPATH": str(ROOT)}
    return dict(os.environ) | own
