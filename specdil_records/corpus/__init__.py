"""Records and the corpus that they form: identity, references, dependencies."""
from __future__ import annotations

from typing import TYPE_CHECKING

from specdil_records.corpus.files import SourceFile, files_on_disk
from specdil_records.corpus.settings import KINDS, NoCorpus, Settings, SettingsError, Suppression, find_settings
from specdil_records.on_demand import on_demand

if TYPE_CHECKING:
    from specdil_records.corpus.loading import build_corpus, load_corpus, make_record
    from specdil_records.corpus.records import Corpus, Record
    from specdil_records.corpus.references import Reference
    from specdil_records.corpus.values import values_of
else:
    __getattr__ = on_demand(__name__, loading="build_corpus load_corpus make_record", records="Corpus Record",
                            references="Reference", values="values_of")

__all__ = ["KINDS", "Corpus", "NoCorpus", "Record", "Reference", "Settings", "SettingsError", "SourceFile",
           "Suppression", "build_corpus", "files_on_disk", "find_settings", "load_corpus", "make_record",
           "values_of"]
