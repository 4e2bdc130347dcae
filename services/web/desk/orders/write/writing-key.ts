/** What is written about an order. */
export type Writing = "comment" | "note";

/** Under which the browser keeps it until it is sent: one draft, wherever in the desk it is written. */
export function writingKey(kind: Writing, orderId: string): string {
  return `${kind}:${orderId}`;
}
