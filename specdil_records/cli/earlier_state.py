"""`--against REV`: the corpus at hand with an earlier state beside it, for the rules that look at what changed."""
from __future__ import annotations

from dataclasses import replace

import click

from specdil_records.cli.exits import Code, Exit
from specdil_records.cli.finding_paths import Target


def beside(target: Target, revision: str | None, select: frozenset[str] | None) -> Target:
    """The target with its corpus as it was at the revision. Raises `Exit` for a revision that is none, and where only
    findings are selected that need one and none is named: they would be silent."""
    if revision is None:
        if select:
            from specdil_records.rules import by_name

            if all((rule := by_name(name)) is not None and rule.historic for name in select):
                raise Exit(Code.USAGE, f"{', '.join(sorted(select))} can only be found --against a revision")
        return target
    from specdil_records.corpus import SettingsError
    from specdil_records.history.revisions import NoRevision, corpus_at
    from specdil_records.reading import UnreadableFile
    from specdil_records.report.console import visible

    try:
        before = corpus_at(target.corpus.settings, revision, target.corpus)
    except (NoRevision, SettingsError, UnreadableFile) as error:
        raise Exit(Code.USAGE, visible(str(error))) from None
    here = {record.path for record in target.corpus.own}
    for one in before.own:
        if one.document.broken and one.path in here:
            words = f"{one.path} did not read at {revision}: what has changed in it cannot be told"
            click.echo(visible(words), err=True)
    corpus = replace(target.corpus, before=before)
    return replace(target, corpus=corpus)
