/** What a list is sorted by, as the service names it. */
export interface Sorting {
  readonly by: string;
  readonly order: "asc" | "desc";
}

/** What the URL asks for; what it leaves open, or mistypes, is as the list is at first. */
export function sortingOf(given: { by: string; order: string }, first: Sorting): Sorting {
  const by = given.by === "" ? first.by : given.by;
  const usual = by === first.by ? first.order : "asc";
  const { order } = given;
  return { by, order: order === "asc" || order === "desc" ? order : usual };
}

/** A click on a column's title: the other way round, or upwards by another column. */
export function sortedBy(by: string, now: Sorting, first: Sorting): Sorting {
  if (by === now.by) return { by, order: now.order === "asc" ? "desc" : "asc" };
  return by === first.by ? first : { by, order: "asc" };
}

/** The parameters of a sorting, of the page's URL as of the service's: empty where the list is so anyway. */
export function sortParameters({ by, order }: Sorting, first: Sorting) {
  const usual = by === first.by ? first.order : "asc";
  return { order_by: by === first.by ? "" : by, order: order === usual ? "" : order };
}

/** `1 number`, `1,204 numbers`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** How many there are, of which the service counts so many at most. */
export interface Total {
  readonly count: number;
  readonly is_more: boolean;
}

/** `1,204 orders`; `10,000+ orders` where nobody has counted further. */
export function totalText({ count, is_more: isMore }: Total, one: string, many = `${one}s`) {
  return isMore ? `${count.toLocaleString("en")}+ ${many}` : counted(count, one, many);
}
