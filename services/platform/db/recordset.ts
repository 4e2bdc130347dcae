/**
 * The TypeScript type for each SQL type. A Date has milliseconds; a jsonb value is passed as is, not as
 * text.
 */
interface Given {
  readonly uuid: string;
  readonly text: string;
  readonly "text[]": readonly string[];
  readonly boolean: boolean;
  readonly smallint: number;
  readonly integer: number;
  readonly bigint: number;
  readonly timestamptz: Date;
  readonly jsonb: unknown;
  readonly bytea: Buffer;
}

export type ColumnType = keyof Given;

/** The SQL types of rows, by column. */
export type Columns = Readonly<Record<string, ColumnType>>;

/** A row; null is SQL's NULL, in a jsonb column too. */
export type RowOf<C extends Columns> = { readonly [N in keyof C]: Given[C[N]] | null };

/** A parameter as written in a statement. */
export type Parameter = `$${number}`;

/**
 * The rows of a parameter as a table `u`. The planner always estimates a hundred rows, so that one plan
 * serves every call.
 */
export function recordset(parameter: Parameter, columns: Columns): string {
  const defined = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  return `jsonb_to_recordset(${parameter}::jsonb) as u (${defined.join(", ")})`;
}

/** The value of that parameter; properties of rows that are not columns are omitted. */
export function recordsetValue<C extends Columns>(columns: C, rows: readonly RowOf<C>[]): string {
  const names = Object.keys(columns);
  return JSON.stringify(rows.map((row) => valuesOf(row, names)));
}

/** Set one by one, which takes a fraction of an object of entries: a creation writes some thirty values per row. */
function valuesOf(
  row: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of names) values[name] = inJson(row[name]);
  return values;
}

/** The insert of the columns from `rows`, a recordset, up to its `where`. */
export function insertInto(table: string, columns: Columns, rows: string): string {
  const names = Object.keys(columns);
  return `insert into ${table} (${names.join(", ")})
    select ${names.map((name) => `u.${name}`).join(", ")} from ${rows}`;
}

/** Bytes become hex text that Postgres reads into a bytea. */
function inJson(value: unknown): unknown {
  return Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : value;
}
