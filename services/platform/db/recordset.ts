/** What a value of each SQL type is given as. A Date has milliseconds; what is jsonb is given as it is, not as text. */
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

/** A parameter as a statement's text names it. */
export type Parameter = `$${number}`;

/**
 * The rows of a parameter as a table `u`. The planner takes them for a hundred, however many they are: so the
 * statement's one plan is kept.
 */
export function recordset(parameter: Parameter, columns: Columns): string {
  const defined = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  return `jsonb_to_recordset(${parameter}::jsonb) as u (${defined.join(", ")})`;
}

/** The value of that parameter; what rows have besides the columns is left out. */
export function recordsetValue<C extends Columns>(columns: C, rows: readonly RowOf<C>[]): string {
  const names = Object.keys(columns);
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(names.map((name) => [name, inJson(row[name])]))),
  );
}

/** The insert of the columns from `rows`, a recordset, up to its conditions. */
export function insertInto(table: string, columns: Columns, rows: string): string {
  const names = Object.keys(columns);
  return `insert into ${table} (${names.join(", ")})
    select ${names.map((name) => `u.${name}`).join(", ")} from ${rows}`;
}

/** Bytes are text as Postgres reads it into a bytea. */
function inJson(value: unknown): unknown {
  return Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : value;
}
