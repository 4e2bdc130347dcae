/** The subset of Avro that this project's schemas use; closed, so that types can be generated from it. */
export type AvroSchema =
  | string
  | AvroLogicalSchema
  | AvroArraySchema
  | AvroEnumSchema
  | AvroRecordSchema
  | readonly AvroSchema[];

interface AvroLogicalSchema {
  readonly type: "long";
  readonly logicalType: "timestamp-millis";
}

interface AvroArraySchema {
  readonly type: "array";
  readonly items: AvroSchema;
}

export interface AvroEnumSchema {
  readonly type: "enum";
  readonly name: string;
  readonly doc?: string;
  readonly symbols: readonly string[];
  readonly default?: string;
}

export interface AvroRecordSchema {
  readonly type: "record";
  readonly name: string;
  readonly namespace?: string;
  readonly doc?: string;
  readonly fields: readonly AvroField[];
}

export interface AvroField {
  readonly name: string;
  readonly doc?: string;
  readonly type: AvroSchema;
  readonly default?: unknown;
}

export function isUnion(schema: AvroSchema): schema is readonly AvroSchema[] {
  return Array.isArray(schema);
}
