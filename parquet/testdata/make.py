# Writes the files of this folder: a Parquet file NAME.parquet, and NAME.csv with the same data as
# package data reads them. Run it as
#
#   pip install pyarrow==21.0.0 duckdb==1.4.0 polars==1.34.0 pandas==2.3.3 fastparquet==2024.11.0 pyspark==4.3.0
#   python make.py
import datetime, decimal, glob, shutil, uuid

import duckdb, fastparquet, numpy as np, pandas as pd, polars as pl
import pyarrow as pa, pyarrow.parquet as pq

D = decimal.Decimal
N = 12
numbers = [0, -1, 2, 100, -128, 127, 7, 7, 7, -50, 3, 64]
some = lambda values: [None if i % 5 == 3 else v for i, v in enumerate(values)]
base = {'label': pa.array([i % 3 for i in range(N)], pa.int32()), 'qid': pa.array([f'q{i // 3}' for i in range(N)])}
types = {
    'int8': pa.array(some(numbers), pa.int8()),
    'uint8': pa.array([abs(x) for x in numbers], pa.uint8()),
    'int16': pa.array(some([x * 256 for x in numbers]), pa.int16()),
    'uint16': pa.array([65535 - abs(x) for x in numbers], pa.uint16()),
    'int32': pa.array(some([x * 10**7 for x in numbers]), pa.int32()),
    'uint32': pa.array([2**32 - 1 - abs(x) for x in numbers], pa.uint32()),
    'int64': pa.array(some([x * 10**16 + 1 for x in numbers]), pa.int64()),
    'uint64': pa.array([2**64 - 1 - abs(x) * 2**50 for x in numbers], pa.uint64()),
    'float32': pa.array(some([x / 3 for x in numbers]), pa.float32()),
    'float64': pa.array(some([x / 7 for x in numbers]), pa.float64()),
    'bool': pa.array(some([x > 0 for x in numbers])),
    'decimal9': pa.array(some([D(x) / 8 for x in numbers]), pa.decimal128(9, 3)),
    'decimal18': pa.array([D(x) * D('12345678901.125') for x in numbers], pa.decimal128(18, 3)),
    'decimal38': pa.array(some([D(x) * D('1234567890123456789012345.5') for x in numbers]), pa.decimal128(38, 5)),
    'nulls': pa.array([None] * N, pa.float32()),
}
arrow = {  # which other writers do not have
    'float16': pa.array(np.float16(numbers), pa.float16()),
    'decimal60': pa.array(some([D(x) * D('1234567890123456789012345.5') for x in numbers]), pa.decimal256(60, 5)),
    'void': pa.nulls(N),
    'category': pa.array(some([float(x) for x in numbers])).dictionary_encode(),
}


def cell(v):
    if v is None:
        return ''
    if isinstance(v, bool):
        return str(int(v))
    if isinstance(v, bytes):
        return v.decode()
    return f'{v:f}' if isinstance(v, D) else str(v)


def csv(name, columns):
    rows = zip(*[c.to_pylist() for c in columns.values()])
    with open(name + '.csv', 'w') as f:
        print(*columns, sep=',', file=f)
        for row in rows:
            print(*[cell(v) for v in row], sep=',', file=f)


def write(name, columns, **options):
    csv(name, columns)
    pq.write_table(pa.table(columns), name + '.parquet', row_group_size=5, store_schema=False, **options)


def spark(columns):
    from pyspark.sql import SparkSession
    session = SparkSession.builder.master('local[1]').getOrCreate()
    session.createDataFrame(pa.table(columns)).coalesce(1).write.parquet('folder')
    shutil.move(glob.glob('folder/part-*.parquet')[0], 'spark.parquet')
    shutil.rmtree('folder')
    csv('spark', columns)


def main():
    for version, codec in ('1.0', 'snappy'), ('2.0', 'zstd'):
        write(f'types_v{version[0]}', base | types | arrow, data_page_version=version, compression=codec,
              write_page_checksum=True)
    plain = dict(use_dictionary=False, compression='none')
    encoded = lambda encoding, names, **options: write(
        encoding.lower(), base | {k: (types | arrow)[k] for k in names}, data_page_version='2.0',
        column_encoding=dict.fromkeys(names, encoding), **plain, **options)
    encoded('PLAIN', [k for k in types | arrow if k != 'category'])
    encoded('DELTA_BINARY_PACKED', [k for k in types if 'int' in k or k in ('decimal9', 'decimal18')],
            store_decimal_as_integer=True)
    encoded('DELTA_BYTE_ARRAY', ['decimal9', 'decimal38', 'decimal60'])
    encoded('BYTE_STREAM_SPLIT', [k for k in types | arrow if k not in ('bool', 'void', 'category')])
    encoded('RLE', ['bool'])

    identifiers = {
        'integer': pa.array([2**64 - 1 - i // 3 for i in range(N)], pa.uint64()),
        'decimal': pa.array([D(10)**20 + i // 3 for i in range(N)], pa.decimal128(38, 0)),
        'price': pa.array([D(i // 3) / 4 - D('0.75') for i in range(N)], pa.decimal128(12, 2)),
        'date': pa.array([datetime.date(1969, 12, 30 + i // 6) for i in range(N)]),
        'large': pa.array([f'q{i // 3}' for i in range(N)], pa.large_string()),
        'binary': pa.array([b'q%d' % (i // 3) for i in range(N)]),
        'category': pa.array([f'q{i // 3}' for i in range(N)]).dictionary_encode(),
    }
    for name, ids in identifiers.items():
        write('id_' + name, {'label': base['label'], 'qid': ids, 'doc': ids, 'x': types['float32']})
    ids = [uuid.UUID(int=i // 3 << 100 | 5) for i in range(N)]
    columns = {'label': base['label'], 'qid': pa.array([v.bytes for v in ids], pa.uuid()), 'x': types['float32']}
    pq.write_table(pa.table(columns), 'id_uuid.parquet')
    csv('id_uuid', columns | {'qid': pa.array([str(v) for v in ids])})

    data = pa.table(base | types)
    con = duckdb.connect()
    for version in 'V1', 'V2':
        con.execute(f"copy data to 'duckdb_{version.lower()}.parquet' (format parquet, parquet_version {version})")
        csv('duckdb_' + version.lower(), base | types)
    pl.from_arrow(data).write_parquet('polars.parquet', row_group_size=5, statistics=False)
    csv('polars', base | types)
    flat = [k for k in data.column_names if 'decimal' not in k and k != 'nulls']
    frame = data.select(flat).to_pandas()
    fastparquet.write('fastparquet.parquet', frame, compression='GZIP', row_group_offsets=5)
    csv('fastparquet', {k: (base | types)[k] for k in flat})

    spark(base | {k: types[k] for k in ('int8', 'int16', 'int32', 'int64', 'float32', 'float64', 'bool', 'decimal18')})

    # The index of a data frame is not a feature.
    frame = pd.DataFrame({'label': np.arange(N) % 3, 'qid': np.arange(N) // 3, 'row_no': np.arange(N), 'x': np.arange(N) * 0.5})
    columns = lambda *names: {k: pa.array(frame[k]) for k in names}
    frame.set_index('row_no').to_parquet('index_named.parquet')
    csv('index_named', columns('label', 'qid', 'x'))
    frame.set_index(['row_no', np.arange(N)]).to_parquet('index_multi.parquet')
    csv('index_multi', columns('label', 'qid', 'x'))
    frame.iloc[::-1].sort_values('qid').to_parquet('index_unnamed.parquet')
    frame = frame.iloc[::-1].sort_values('qid')
    csv('index_unnamed', columns('label', 'qid', 'row_no', 'x'))
    frame.set_index('qid').to_parquet('index_qid.parquet')
    csv('index_qid', columns('label', 'row_no', 'x', 'qid'))
    frame.reset_index(drop=True).to_parquet('index_range.parquet')
    csv('index_range', columns('label', 'qid', 'row_no', 'x'))
    pq.write_table(pq.read_table('index_unnamed.parquet').replace_schema_metadata(), 'index_stripped.parquet')
    csv('index_stripped', columns('label', 'qid', 'row_no', 'x'))
    fastparquet.write('index_fastparquet.parquet', frame.set_index('row_no'), write_index=True)
    csv('index_fastparquet', columns('label', 'qid', 'x'))


main()
