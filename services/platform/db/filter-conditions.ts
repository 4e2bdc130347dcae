import type { BoundValues } from "./recordset.ts";

/** The condition of each filter of a list, by the place of its value: a filter without one does not compile. */
export type FilterConditions<Filter> = Readonly<Record<keyof Filter, (at: string) => string>>;

/** The conditions of the given filters. Only these go into the statement, so that each can use its own index. */
export function conditionsOf<Filter>(
  conditions: FilterConditions<Filter>,
  filter: Filter,
  bind: BoundValues["bind"],
): string[] {
  const names = Object.keys(conditions) as (keyof Filter)[];
  return names
    .filter((name) => filter[name] !== undefined)
    .map((name) => conditions[name](bind(filter[name])));
}
