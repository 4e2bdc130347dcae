type End = () => unknown;

const ends: (() => Promise<void>)[] = [];

/**
 * Ends what a test file has started after its last test, the latest first, also where its `beforeAll` has failed
 * half-way: so every start names its end at once. Who ends it sooner calls what this returns, which ends it once.
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

/** Ends all that has been started, whatever fails among it, and throws the first fault. */
export async function endAll(): Promise<void> {
  const faults: unknown[] = [];
  for (const end of ends.splice(0).reverse()) {
    await end().catch((fault: unknown) => faults.push(fault));
  }
  if (faults.length > 0) throw faults[0];
}
