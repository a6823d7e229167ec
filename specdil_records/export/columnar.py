"""The one door to duckdb and pyarrow, which the extra `query` brings."""
from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

from specdil_records.export.tables import Kind, Table
from specdil_records.extras import ExtraMissing


def arrow(table: Table) -> Any:
    """A table as a `pyarrow.Table`. Raises `ExtraMissing`."""
    try:
        import pyarrow
    except ImportError:
        raise ExtraMissing("query", "Parquet") from None
    kinds: dict[Kind, Any] = {"text": pyarrow.string(), "integer": pyarrow.int64(), "real": pyarrow.float64(),
                              "boolean": pyarrow.bool_()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in table.columns],
                            metadata={"table": table.name, "holds": table.about})
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    arrays = [pyarrow.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    return pyarrow.Table.from_arrays(arrays, schema=schema)


def parquet(table: Table) -> bytes:
    """A table as the bytes of a Parquet file. Raises `ExtraMissing`."""
    content = arrow(table)
    import pyarrow.parquet

    sink = io.BytesIO()
    pyarrow.parquet.write_table(content, sink, compression="zstd")
    return sink.getvalue()


def connect(tables: Iterable[Table]) -> Any:
    """A `duckdb` connection in memory that knows the tables by their names. Raises `ExtraMissing`."""
    try:
        import duckdb
    except ImportError:
        raise ExtraMissing("query", "duckdb") from None
    connection = duckdb.connect(":memory:")
    for table in tables:
        connection.register(table.name, arrow(table))
    return connection
