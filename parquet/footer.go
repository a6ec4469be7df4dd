package parquet

import (
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// The fields of the footer that are used. The types of package format have all of them, which take
// much more memory, and require some that are optional.
type (
	fileMetaData struct {
		Schema           thrift.Slice[schemaElement] `thrift:"2,required"`
		RowGroups        thrift.Slice[rowGroup]      `thrift:"4,required"`
		KeyValueMetadata thrift.Slice[keyValue]      `thrift:"5,optional"`
	}
	schemaElement struct {
		Type           thrift.Null[format.Type]                `thrift:"1,optional"`
		TypeLength     thrift.Null[int32]                      `thrift:"2,optional"`
		RepetitionType thrift.Null[format.FieldRepetitionType] `thrift:"3,optional"`
		Name           string                                  `thrift:"4,required"`
		NumChildren    thrift.Null[int32]                      `thrift:"5,optional"`
		ConvertedType  thrift.Null[deprecated.ConvertedType]   `thrift:"6,optional"`
		Scale          thrift.Null[int32]                      `thrift:"7,optional"`
		LogicalType    format.LogicalType                      `thrift:"10,optional"`
	}
	rowGroup struct {
		Columns thrift.Slice[columnChunk] `thrift:"1,required"`
		NumRows int64                     `thrift:"3,required"`
	}
	columnChunk struct {
		FilePath       string                      `thrift:"1,optional"`
		MetaData       columnMetaData              `thrift:"3,optional"`
		CryptoMetadata format.ColumnCryptoMetaData `thrift:"8,optional"`
	}
	columnMetaData struct {
		Type                 format.Type             `thrift:"1,required"`
		Codec                format.CompressionCodec `thrift:"4,required"`
		TotalCompressedSize  int64                   `thrift:"7,required"`
		DataPageOffset       int64                   `thrift:"9,required"`
		DictionaryPageOffset int64                   `thrift:"11,optional"`
	}
	keyValue struct {
		Key   string `thrift:"1,required"`
		Value string `thrift:"2,optional"`
	}
)
