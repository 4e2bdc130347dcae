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
