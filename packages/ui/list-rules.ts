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

/** A click on a column's title: upwards, then downwards, then as the list is at first, which may be no column's order. */
export function sortedBy(by: string, now: Sorting, first: Sorting): Sorting {
  if (by !== now.by) return by === first.by ? first : { by, order: "asc" };
  if (now.order === "asc") return { by, order: "desc" };
  return by === first.by ? { by, order: "asc" } : first;
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

/** The selected rows of a page. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  /** The row that was selected or left out last, from which a range begins. */
  readonly last: string | null;
}

export const NONE_SELECTED: Selection = { keys: new Set(), last: null };

/** What is not on the page is not selected, so that nothing is done to what nobody sees. */
export function stillShown({ keys, last }: Selection, shown: readonly string[]): Selection {
  return {
    keys: new Set(shown.filter((key) => keys.has(key))),
    last: last !== null && shown.includes(last) ? last : null,
  };
}

interface Toggle {
  readonly key: string;
  /** All rows from the last one to this become as this one does. */
  readonly withRange: boolean;
}

export function toggled(
  { keys, last }: Selection,
  shown: readonly string[],
  { key, withRange }: Toggle,
): Selection {
  const isOn = !keys.has(key);
  const [from, to] = [shown.indexOf(withRange && last !== null ? last : key), shown.indexOf(key)];
  const next = new Set(keys);
  for (const one of shown.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (isOn) next.add(one);
    else next.delete(one);
  }
  return { keys: next, last: key };
}

/** Every row of the page, or none where they all are selected. */
export function toggledAll({ keys }: Selection, shown: readonly string[]): Selection {
  return shown.every((key) => keys.has(key)) ? NONE_SELECTED : { keys: new Set(shown), last: null };
}

/** Whether a refusal is of every row that follows, too: nobody is signed in, may do it, or answers. */
export function endsRun({ status }: { readonly status: number }): boolean {
  return status === 0 || status === 401 || status === 403 || status >= 500;
}
