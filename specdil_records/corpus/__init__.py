"""Records and the corpus that they form: identity, references, dependencies."""
from __future__ import annotations

from specdil_records.corpus.loading import SourceFile, build_corpus, files_on_disk, load_corpus, make_record
from specdil_records.corpus.records import Corpus, Record
from specdil_records.corpus.references import Reference
from specdil_records.corpus.settings import KINDS, Settings, SettingsError, Suppression, find_settings

__all__ = ["KINDS", "Corpus", "Record", "Reference", "Settings", "SettingsError", "SourceFile", "Suppression",
           "build_corpus", "files_on_disk", "find_settings", "load_corpus", "make_record"]
