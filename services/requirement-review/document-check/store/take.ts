/** What a worker asks a queue for. */
export interface TakeOptions {
  readonly now: Date;
  /** From when on other processes may take it, if it is not finished. */
  readonly leaseUntil: Date;
  /** Recently served accounts, the latest last: others go first, so that one account's files do not delay another's. */
  readonly served: readonly string[];
  /** Accounts whose documents are left alone for now. */
  readonly busy: readonly string[];
}

/** What was taken of a queue, null where nothing was; `more`: others are due, of accounts that are left alone too. */
export interface Taken<T> {
  readonly taken: T | null;
  readonly more: boolean;
}

/** A row of a statement that says `more` also where it takes nothing, and whose other columns are null then. */
export type OrNothing<T> = (T | { readonly [N in keyof T]: null }) & { readonly more: boolean };

/** Whether more rows of a queue were due at `$1` than the `taken`, an expression, of at most `most`. */
export function moreThan(queue: string, taken: string, most: number): string {
  return `(select count(*) from (select from ${queue} where due_at <= $1 limit ${most + 1}) due) > ${taken}`;
}
