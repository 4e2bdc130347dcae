/** `toll_free` as a person reads it. */
export function wordsOf(code: string): string {
  return code.replaceAll("_", " ");
}

/** The name of a requirement, of which a case knows its own. */
export function nameOf(requirements: readonly Named[], slug: string): string {
  return requirements.find((one) => one.slug === slug)?.name ?? wordsOf(slug);
}

interface Named {
  readonly slug: string;
  readonly name: string;
}

/** The end of an id, because ids of the same minute begin alike. */
export function shortId(id: string): string {
  return `…${id.slice(-8)}`;
}

/** `customer_reference`, or else the end of the id. */
export function orderTitle(orderId: string, reference: string): string {
  return reference === "" ? `Order ${shortId(orderId)}` : reference;
}
