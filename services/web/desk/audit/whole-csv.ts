const PAGE_SIZE = 250;
const MOST_PAGES = 40;
const LINE_END = "\r\n";
/** What a path is read against; only its path and query are used. */
const ANY_HOST = "http://desk";

export interface WholeCsv {
  readonly text: string;
  /** False where there are more entries than one file takes. */
  readonly isWhole: boolean;
}

/** Every page of a list as one CSV, the line of column names once; `get` asks for a page by its path. */
export async function wholeCsv(
  path: string,
  get: (path: string) => Promise<Response>,
): Promise<WholeCsv> {
  const { pathname, searchParams } = new URL(path, ANY_HOST);
  searchParams.set("limit", String(PAGE_SIZE));
  searchParams.delete("starting_after");
  let next: string | null = `${pathname}?${searchParams}`;
  let text = "";
  for (let pages = 0; next !== null && pages < MOST_PAGES; pages += 1) {
    const response: Response = await get(next);
    const page = await response.text();
    text += text === "" ? page : page.slice(page.indexOf(LINE_END) + LINE_END.length);
    next = nextOf(response.headers.get("Link"));
  }
  return { text, isWhole: next === null };
}

/** The path of the next page, from a link that is a path or names a public address, which this browser need not reach. */
function nextOf(link: string | null): string | null {
  const [, address] = /<([^>]+)>; rel="next"/.exec(link ?? "") ?? [];
  if (address === undefined) return null;
  const { pathname, search } = new URL(address, ANY_HOST);
  return pathname + search;
}
