"""What codex-agents-md-plus promised, and what has to hold on the real client: each row with its tests.

The rows are for whoever asks whether a behaviour is held by a test.  What is checked here is that the tests
they name are there, and that no test of tests/resolve/test_parity.py is without a row.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PARITY = "resolve/test_parity.py"

FEATURES = {
    "an overlay is additive in Codex home, at the root and in a subdirectory": [
        f"{PARITY}::test_an_overlay_adds_to_the_instructions_of_its_directory",
    ],
    "the overlay is visible in a nested and in a sibling worktree": [
        f"{PARITY}::test_the_main_trees_overlay_is_seen_in_a_nested_and_in_a_sibling_worktree",
    ],
    "a worktree's own file wins": [f"{PARITY}::test_the_worktrees_own_file_wins"],
    "the main root's ancestors are scanned": [
        f"{PARITY}::test_the_main_roots_ancestors_are_scanned_the_same_way"
    ],
    "@ works in override, native, overlay, fallback and referenced files": [
        f"{PARITY}::test_references_are_expanded_in_every_kind_of_file",
    ],
    "a reference is relative to its file": [
        f"{PARITY}::test_a_reference_is_relative_to_the_file_that_holds_it"
    ],
    "word boundary, code spans, fences and comments": [
        f"{PARITY}::test_only_a_token_at_a_boundary_in_prose_is_a_reference",
    ],
    "extensions of text documents": [f"{PARITY}::test_only_text_documents_are_expanded"],
    "breadth first, and cycles end": [f"{PARITY}::test_expansion_is_breadth_first_and_breaks_cycles"],
    "depth 5": [f"{PARITY}::test_five_deep"],
    "32 files": [f"{PARITY}::test_thirty_two_files"],
    "32 KiB of one file, 128 KiB of all": [
        f"{PARITY}::test_thirty_two_kibibytes_of_one_file_and_a_hundred_and_twenty_eight_of_all",
    ],
    "outside is refused and told with its reason": [
        f"{PARITY}::test_what_lies_outside_is_refused_and_told_with_its_reason",
    ],
    "Codex home's references are confined to Codex home": [
        f"{PARITY}::test_codex_homes_references_are_confined_to_codex_home",
    ],
    "a path for each file, and a map of the native ones": [
        f"{PARITY}::test_each_file_is_shown_with_its_own_path_and_the_native_ones_are_mapped",
    ],
    "a resumed session gets no second copy": ["codex/test_hook.py::test_the_same_block_is_not_said_twice"],
    "a resumed session gets what changed": ["codex/test_hook.py::test_a_changed_block_is_said"],
    "each environment variable": [f"{PARITY}::test_each_environment_variable_has_its_effect"],
}
"""The feature list of the plugin that refseal succeeds, sentence by sentence."""

CLIENT = {
    "startup": ["e2e/test_session_start.py::test_at_the_root"],
    "startup deep inside": [
        "e2e/test_session_start.py::test_deep_inside_the_overlay_of_the_root_comes_first"
    ],
    "an overlay in Codex home alone": [
        "e2e/test_session_start.py::test_overlay_of_codex_home_in_a_repository_without_any_file",
    ],
    "nothing for us": ["e2e/test_session_start.py::test_a_repository_with_nothing_for_us_gives_nothing"],
    "no transcript": ["e2e/test_session_start.py::test_without_a_transcript"],
    "a session's directory that is a link": [
        "e2e/test_session_start.py::test_through_a_link_to_the_directory"
    ],
    "clear": ["e2e/test_session_start.py::test_after_clear"],
    "odd names of the plugin's folder": [
        "e2e/test_session_start.py::test_a_plugin_folder_with_spaces_quotes_and_dollars_in_its_path",
    ],
    "a repository's own interpreter": [
        "e2e/test_session_start.py::test_an_interpreter_of_the_repository_is_never_run"
    ],
    "trust by the two stored hashes, kept": [
        "e2e/test_trust_of_the_plugin.py::test_hooks_are_trusted_by_their_two_hashes_and_remain_so",
        "e2e/test_client.py::test_a_changed_file_in_the_plugin_folder_ends_the_trust",
    ],
    "planted byte-code": [
        "e2e/test_trust_of_the_plugin.py::test_a_planted_pyc_in_the_plugin_folder_does_not_run"
    ],
    "exactly the limit, and more; 0.144.6, 0.145.0, newest": [
        "e2e/test_limit.py::test_a_block_of_exactly_the_limit_passes_whole",
        "e2e/test_limit.py::test_more_than_the_limit_is_shortened_so_that_the_rest_passes_whole",
        "e2e/test_client.py::test_text_of_exactly_the_limit_passes_whole_and_one_byte_more_does_not",
    ],
    "resume: no duplicate": ["e2e/test_repeats.py::test_resumed_unchanged_it_is_not_said_again"],
    "resume: a changed file": ["e2e/test_repeats.py::test_resumed_after_a_change_there_is_a_second_block"],
    "resume: a deleted overlay": [
        "e2e/test_repeats.py::test_resumed_with_nothing_left_the_block_is_withdrawn_once"
    ],
    "resume in another directory": [
        "e2e/test_repeats.py::test_resumed_in_another_directory_it_is_what_belongs_there"
    ],
    "resume right after a compaction": [
        "e2e/test_repeats.py::test_resumed_right_after_a_compaction_it_is_said_again"
    ],
    "compact": [
        "e2e/test_repeats.py::test_after_a_compaction_it_is_said_again",
        "e2e/test_repeats.py::test_after_a_compaction_in_mid_turn_it_is_said_again",
    ],
    "fork": [
        "e2e/test_repeats.py::test_a_fork_has_what_its_parent_had",
        "e2e/test_repeats.py::test_a_fork_of_a_compacted_thread",
    ],
    "turns taken back": ["e2e/test_repeats.py::test_turns_taken_back"],
    "a marker in other text": [
        "e2e/test_repeats.py::test_its_text_in_a_tool_output_or_a_prompt_does_not_count"
    ],
    "subagent": ["e2e/test_subagents.py::test_it_gets_the_block"],
    "subagent with another cwd": [
        "e2e/test_subagents.py::test_in_another_directory_than_the_session_began_in"
    ],
    "subagent forked with full history": [
        "e2e/test_subagents.py::test_with_full_history_it_has_the_block_already",
        "e2e/test_subagents.py::test_with_the_history_of_a_compacted_parent",
        "e2e/test_subagents.py::test_with_the_history_of_a_fork",
    ],
    "codex exec --worktree": ["e2e/test_worktrees.py::test_the_clients_own_worktree_in_codex_home"],
    "a sibling worktree": ["e2e/test_worktrees.py::test_a_sibling"],
    "a nested worktree": [
        "e2e/test_worktrees.py::test_one_that_is_nested_in_its_main_tree_sees_nothing_twice"
    ],
    "an untrusted project": ["e2e/test_native_files.py::test_an_untrusted_project_contributes_one_line"],
    "trust required": [
        "e2e/test_native_files.py::test_only_a_trusted_project_contributes_where_trust_is_required"
    ],
    "an oversized AGENTS.md": [
        "e2e/test_native_files.py::test_the_missing_lines_of_an_oversized_file_are_restored",
        "e2e/test_native_files.py::test_a_budget_of_the_users_is_the_same_cut",
        "e2e/test_native_files.py::test_a_budget_of_nothing_is_a_decision",
    ],
    "one unreadable AGENTS.md": [
        "e2e/test_native_files.py::test_one_unreadable_file_is_named",
        "e2e/test_native_files.py::test_a_loop_of_links_is_named",
    ],
    "fallback names from config.toml": [
        "e2e/test_native_files.py::test_fallback_names_from_the_configuration",
        "e2e/test_native_files.py::test_an_overlay_that_the_client_loads_itself_is_native",
    ],
    "a file that changed after it was loaded": [
        "e2e/test_native_files.py::test_a_file_that_changed_meanwhile_is_not_restored",
    ],
    "a project's own configuration": ["e2e/test_layers.py::test_a_layer_counts_where_the_client_counts_it"],
    "the mirrored rules on generated projects": [
        "e2e/test_native_oracle.py::test_the_mirrored_rules_give_the_text_that_the_client_shows",
    ],
    "what people are told": [
        "e2e/test_messages_to_people.py::test_all_is_well_and_nothing_is_said",
        "e2e/test_messages_to_people.py::test_an_untrusted_project",
        "e2e/test_messages_to_people.py::test_bad_settings_by_variable_and_by_file",
        "e2e/test_messages_to_people.py::test_documents_left_out_for_size",
    ],
}
"""What is asserted on the requests that the real client sends."""


def functions_of(module: Path) -> set[str]:
    tree = ast.parse(module.read_bytes())
    return {
        f"{module.relative_to(TESTS)}::{node.name}"
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize("row", [*FEATURES, *CLIENT])
def test_a_row_names_tests_that_are_there(row: str) -> None:
    names = (FEATURES | CLIENT)[row]
    assert names
    for name in names:
        assert name in functions_of(TESTS / name.partition("::")[0])


def test_no_test_of_parity_is_without_a_row() -> None:
    named = {name for names in FEATURES.values() for name in names}
    assert functions_of(TESTS / PARITY) <= named


def test_no_row_stands_in_both_tables() -> None:
    assert set(FEATURES).isdisjoint(CLIENT)
