/** `toll_free` as a person reads it. */
export function wordsOf(code: string): string {
  return code.replaceAll("_", " ");
}

/** `customer_reference`, or else the beginning of the id. */
export function orderTitle(orderId: string, reference: string): string {
  return reference === "" ? `Order ${orderId.slice(0, 8)}` : reference;
}
