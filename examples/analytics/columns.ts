import avro, { type Type } from "avsc";

/** Outside of this a carrier's clock is wrong, and the instant says nothing. */
const FIRST_MS = Date.parse("1970-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T00:00:00Z");

/** Reads timestamp-millis as ISO 8601 in UTC. */
export class Instant extends avro.types.LogicalType {
  protected override _fromValue(ms: number): string | null {
    return ms < FIRST_MS || ms > LAST_MS ? null : new Date(ms).toISOString();
  }
}

/** A column of the files: its name and DuckDB's type of it. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: "VARCHAR",
  enum: "VARCHAR",
  boolean: "BOOLEAN",
  int: "INTEGER",
  long: "BIGINT",
  float: "DOUBLE",
  double: "DOUBLE",
};

/** The columns of a record. @throws where the schema is not a record's */
export function columnsOf(record: Type): readonly Column[] {
  if (!(record instanceof avro.types.RecordType)) throw new Error("The schema is not a record's");
  return record.fields.map(({ name, type }) => ({ name, type: columnType(type) }));
}

function columnType(type: Type): string {
  if (type instanceof Instant) return "TIMESTAMPTZ";
  if (type instanceof avro.types.RecordType) {
    const fields = columnsOf(type).map((field) => `"${field.name}" ${field.type}`);
    return `STRUCT(${fields.join(", ")})`;
  }
  if (type instanceof avro.types.ArrayType) return `${columnType(type.itemsType)}[]`;
  if (
    type instanceof avro.types.UnwrappedUnionType ||
    type instanceof avro.types.WrappedUnionType
  ) {
    const [branch, ...others] = type.types.filter(({ typeName }) => typeName !== "null");
    return branch === undefined || others.length > 0 ? "JSON" : columnType(branch);
  }
  return PRIMITIVES[type.typeName] ?? "JSON";
}
