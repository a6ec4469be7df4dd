# Writes the CSV files of this folder with the programs that people use. All files contain the same
# table. pandas or R reads each file again and compares the values. Run it as
#
#   pip install pandas==3.1.1 pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.1 pyspark==4.3.0
#   python make.py && Rscript make.R
import glob, shutil

import duckdb, pandas as pd, polars as pl, pyarrow as pa, pyarrow.csv
from pyspark.sql import SparkSession

columns = {
    'label': [2, 0, 1, 0],
    'qid': ['q1', 'q1', 'NA', 'NA'],
    'doc': ['a,b', 'say "hi"', 'c;d', 'Zürich'],
    'price': [0.25, None, 100000.0, -1e-07],
    'stock': [3, None, 0, 16777215],
    'new': [True, False, None, True],
}
frame = pd.DataFrame(columns).astype({'stock': 'Int64', 'new': 'boolean'})


def check(name, **how):
    ids = {'qid': str, 'doc': str}
    other = pd.read_csv(name, dtype=ids, keep_default_na=False, na_values={
        k: ['', 'NA', 'null', '\\N'] for k in ('price', 'stock', 'new')}, **how)
    for c, values in columns.items():
        got = [None if pd.isna(v) else v for v in other[c]]
        assert got == values, (name, c, got, values)


def write(name, writer, **how):
    writer(name)
    check(name, **how)


write('pandas_index.csv', frame.to_csv)
write('pandas_na.csv', lambda f: frame.to_csv(f, index=False, na_rep='NA'))
write('pandas_bom.csv', lambda f: frame.to_csv(f, index=False, encoding='utf-8-sig', lineterminator='\r\n'))
write('pandas_europe.csv', lambda f: frame.to_csv(f, index=False, sep=';', decimal=','), sep=';', decimal=',')
plain = frame.astype({'stock': float, 'new': object})  # integers with missing values become 3.0
write('pandas_float.tsv', lambda f: plain.to_csv(f, index=False, sep='\t'), sep='\t')
polar = pl.DataFrame(columns)
write('polars.csv', polar.write_csv)
write('polars_null.csv', lambda f: polar.write_csv(f, null_value='null', include_bom=True))
arrow = pa.table(columns)
write('pyarrow.csv', lambda f: pa.csv.write_csv(arrow, f))
write('duckdb.csv', lambda f: duckdb.sql(f"copy (from arrow) to '{f}'"))
write('duckdb_null.csv', lambda f: duckdb.sql(f"copy (from arrow) to '{f}' (nullstr '\\N', delimiter '|')"), sep='|')

spark = SparkSession.builder.master('local[1]').getOrCreate()
rows = spark.createDataFrame(list(zip(*columns.values())), list(columns))
for name, options in ('spark.csv', {}), ('spark_escape.csv', {'escape': '"'}):
    rows.coalesce(1).write.options(header=True, **options).csv('spark', mode='overwrite')
    shutil.copy(glob.glob('spark/part-*.csv')[0], name)
    shutil.rmtree('spark')
check('spark.csv', escapechar='\\')
check('spark_escape.csv')
