import type { Fault } from "../../errors.ts";

// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Decodes one percent-encoded part of a URL; null if it is malformed or contains control characters. */
export function decodePart(part: string): string | null {
  if (!part.includes("%")) return CONTROL.test(part) ? null : part;
  try {
    const text = decodeURIComponent(part);
    return CONTROL.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** Decodes a name or value of a query, in which a plus sign is a space. */
export function decodeQueryPart(part: string): string | null {
  return decodePart(part.includes("+") ? part.replaceAll("+", " ") : part);
}

export interface QueryInput {
  readonly input: Readonly<Record<string, string | string[]>>;
  readonly faults: readonly Fault[];
}

/** Parses a query (without its `?`) for a schema; only parameters in `repeatable` become lists. */
export function readQuery(query: string, repeatable: ReadonlySet<string>): QueryInput {
  const values = new Map<string, string | string[]>();
  const faults: Fault[] = [];
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const [name, value] = splitPair(pair);
    if (name === null || value === null) {
      const detail = "It is not valid percent-encoded text.";
      faults.push({ parameter: name ?? "?", code: "invalid_encoding", detail });
      continue;
    }
    const known = values.get(name);
    if (repeatable.has(name)) values.set(name, Array.isArray(known) ? [...known, value] : [value]);
    else if (known === undefined) values.set(name, value);
    else faults.push({ parameter: name, code: "repeated", detail: "It may be given only once." });
  }
  return { input: Object.fromEntries(values), faults };
}

function splitPair(pair: string): [string | null, string | null] {
  const at = pair.indexOf("=");
  if (at < 0) return [decodeQueryPart(pair), ""];
  return [decodeQueryPart(pair.slice(0, at)), decodeQueryPart(pair.slice(at + 1))];
}
