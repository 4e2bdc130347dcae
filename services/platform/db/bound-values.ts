/** The values of a statement whose conditions are put together: each gets its parameter when it is named. */
export interface BoundValues {
  readonly values: unknown[];
  /** Adds a value; its parameter in the statement. */
  readonly bind: (value: unknown) => string;
}

/** `first` are the values of `$1` and on, which the text names itself. */
export function boundValues(...first: readonly unknown[]): BoundValues {
  const values = [...first];
  return { values, bind: (value) => `$${values.push(value)}` };
}
