"""The rules, one file each, and the one list of them.

What a rule looks at decides how it is called: `TEXT_RULES` see a text at a time, `VERDICT_RULES` one
verdict on a reference, `FILE_RULES` an instruction file as it lies on the disk, `SCOPE_RULES` what a
session in one directory would get.  Codes are stable for ever; a rule that is given up leaves its number
unused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.rules import (
    audit_incomplete,
    baseline_changed,
    baseline_refused,
    baseline_stale,
    bidi_control,
    blocked_reference,
    broken_reference,
    chat_template,
    directory_reference,
    document_cut,
    empty_override,
    empty_reference,
    encoding,
    foreign_file,
    glob_reference,
    hard_link,
    harness_markup,
    hidden_instruction,
    invisible_text,
    irregular_file,
    left_out,
    link_as_text,
    link_escape,
    lookalike_name,
    lookalike_reference,
    native_cut,
    nested_root,
    project_configuration,
    reference_form,
    refseal_markup,
    tag_smuggling,
    terminal_control,
    tracked_overlay,
    unclosed_block,
    unreadable_file,
    unsafe_root,
    unsupported_kind,
    unverified_worktree,
    world_writable,
)

if TYPE_CHECKING:
    from refseal.audit.findings import Rule

TEXT_RULES = (
    reference_form,
    unclosed_block,
    tag_smuggling,
    bidi_control,
    terminal_control,
    invisible_text,
    harness_markup,
    chat_template,
    refseal_markup,
    hidden_instruction,
    encoding,
)

VERDICT_RULES = (
    broken_reference,
    directory_reference,
    unsupported_kind,
    left_out,
    empty_reference,
    lookalike_reference,
)

FILE_RULES = (
    link_escape,
    hard_link,
    foreign_file,
    world_writable,
    irregular_file,
    unreadable_file,
    tracked_overlay,
    empty_override,
    link_as_text,
)

SCOPE_RULES = (native_cut, document_cut, unverified_worktree, nested_root, unsafe_root)

RULES: tuple[Rule, ...] = tuple(
    sorted(
        (
            *blocked_reference.RULES,
            *(
                module.RULE
                for module in (
                    *TEXT_RULES,
                    *VERDICT_RULES,
                    glob_reference,
                    *FILE_RULES,
                    lookalike_name,
                    project_configuration,
                    *SCOPE_RULES,
                    baseline_changed,
                    baseline_refused,
                    baseline_stale,
                    audit_incomplete,
                )
            ),
        ),
        key=lambda rule: rule.code,
    )
)
"""Every rule, by code."""

BY_CODE: dict[str, Rule] = {rule.code: rule for rule in RULES}
