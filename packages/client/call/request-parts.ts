export interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormData | string | null;
}

/** The body of a request: JSON, or a form where a value is a file. A form sets its own Content-Type. */
export function contentOf(body: object | undefined): Content {
  if (body === undefined) return { headers: {}, body: null };
  const fields = Object.entries(body) as [string, unknown][];
  if (!fields.some(([, value]) => value instanceof Blob)) {
    return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  }
  const form = new FormData();
  // Text before the file: it is then checked before the file was sent.
  for (const [name, value] of fields) if (typeof value === "string") form.set(name, value);
  for (const [name, value] of fields) if (value instanceof Blob) form.set(name, value);
  return { headers: {}, body: form };
}

type Plain = string | number | boolean;
type QueryValue = Plain | Plain[] | undefined;

/** `?status=draft&status=rejection`; empty without parameters, and without those that are undefined. */
export function searchOf(query: object | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}) as [string, QueryValue][]) {
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one));
  }
  return search.size === 0 ? "" : `?${search.toString()}`;
}

/** The query of the next page, from `Link`; its host may be another than the one that was called. */
export function nextSearch(link: string | null): string | null {
  const target = /<([^>]*)>;\s*rel="next"/.exec(link ?? "")?.[1];
  if (target === undefined) return null;
  const at = target.indexOf("?");
  return at === -1 ? null : target.slice(at);
}
