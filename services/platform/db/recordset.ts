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

/** The values of a dynamically built statement: binding a value assigns its parameter. */
export interface BoundValues {
  readonly values: unknown[];
  /** Adds a value; returns its parameter, such as `$3`. */
  readonly bind: (value: unknown) => string;
}

/** `first` are the values of the first parameters, which the text numbers itself. */
export function boundValues(...first: readonly unknown[]): BoundValues {
  const values = [...first];
  return { values, bind: (value) => `$${values.push(value)}` };
}

/** Column types that the driver can write into an array directly. */
type ArrayColumns = Readonly<Record<string, Exclude<ColumnType, "jsonb" | "text[]">>>;

/** The parameter of each column. */
export type ArrayParameters<C extends ArrayColumns> = { readonly [N in keyof C]: string };

const MOST_PARAMETERS = 10;

/**
 * The last parameters of a statement, from `$first` on, as one array per column: for batches of hundreds
 * of rows, which Postgres reads in three quarters of the time of a recordset.
 */
export function arrayParameters<C extends ArrayColumns>(
  columns: C,
  first: number,
): ArrayParameters<C> {
  if (first + Object.keys(columns).length > MOST_PARAMETERS + 1) {
    throw new TypeError(`a statement has at most ${MOST_PARAMETERS} parameters`);
  }
  const parameters = Object.entries(columns).map(([name, type], n) => [
    name,
    `$${first + n}::${type}[]`,
  ]);
  return Object.fromEntries(parameters) as ArrayParameters<C>;
}

/** The values of the parameters from `arrayParameters`. */
export function columnArrays<C extends ArrayColumns>(
  columns: C,
  rows: readonly RowOf<C>[],
): unknown[][] {
  return Object.keys(columns).map((name) => rows.map((row) => inArray(row[name])));
}

/** The driver would format a Date slowly, in the time zone of the process. */
function inArray(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

/** Arrays as a table `u`. */
export function unnested(arrays: Readonly<Record<string, string>>): string {
  return `unnest(${Object.values(arrays).join(", ")}) as u (${Object.keys(arrays).join(", ")})`;
}
