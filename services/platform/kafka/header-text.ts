const UNWRITABLE = /\0|\p{Surrogate}/gu;

/** Replaces NUL and lone surrogates, which Postgres refuses and which must not block a partition. */
export function headerText(text: string): string {
  return text.replaceAll(UNWRITABLE, "\ufffd");
}
