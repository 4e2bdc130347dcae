/** A message as its producer writes it: nullable fields may be omitted, at every depth. */
export type Sparse<T> = T extends readonly (infer Item)[]
  ? readonly Sparse<Item>[]
  : T extends object
    ? { readonly [K in RequiredKeys<T>]: Sparse<T[K]> } & {
        readonly [K in Exclude<keyof T, RequiredKeys<T>>]?: Sparse<T[K]> | undefined;
      }
    : T;

type RequiredKeys<T> = { [K in keyof T]: null extends T[K] ? never : K }[keyof T];
