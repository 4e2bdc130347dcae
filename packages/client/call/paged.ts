import { PortingError } from "../errors.ts";

const NO_LINK = "The list has more, but its answer came without the Link header to the next page.";

/** A page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
}

export interface PageAnswer<T> {
  readonly page: Page<T>;
  /** The query of the next page; null after the last one. */
  readonly nextSearch: string | null;
}

type ReadPage<T> = (search: string | null) => Promise<PageAnswer<T>>;

/** A list that is fetched page by page, as it is read: `for await (const order of client.listPortingOrders())`. */
export class Paged<T> implements AsyncIterable<T> {
  readonly #read: ReadPage<T>;

  /** `read` gets null for the first page. */
  constructor(read: ReadPage<T>) {
    this.#read = read;
  }

  /** The first page alone. */
  async first(): Promise<Page<T>> {
    return (await this.#read(null)).page;
  }

  async *pages(): AsyncGenerator<Page<T>, void> {
    let search: string | null = null;
    do {
      const answer: PageAnswer<T> = await this.#read(search);
      yield answer.page;
      search = answer.page.has_more ? answer.nextSearch : null;
      // A list that ends too early would pass for a whole one.
      if (answer.page.has_more && search === null) throw new PortingError(NO_LINK);
    } while (search !== null);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** All items, or the first `limit` of them. */
  async toArray(limit = Infinity): Promise<T[]> {
    const items: T[] = [];
    if (limit < 1) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }
}
