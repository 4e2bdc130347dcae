type End = () => unknown;

const ends: (() => Promise<void>)[] = [];

/**
 * Registers `end` to run after the file's last test, latest first, also when its `beforeAll` fails half-way; so
 * register it directly after the start. Call the returned function to end it sooner: `end` runs only once.
 */
export function endAfterTests(end: End): () => Promise<void> {
  let ended: Promise<void> | null = null;
  const endOnce = (): Promise<void> =>
    (ended ??= Promise.resolve()
      .then(end)
      .then(() => undefined));
  ends.push(endOnce);
  return endOnce;
}

/** Runs every registered end, even where one fails, and throws the first fault. */
export async function endAll(): Promise<void> {
  const faults: unknown[] = [];
  for (const end of ends.splice(0).reverse()) {
    await end().catch((fault: unknown) => faults.push(fault));
  }
  if (faults.length > 0) throw faults[0];
}
