import { useEffect } from "react";

/** After the first screen has most of what it asks for. */
const REST_MS = 1_000;

interface Loading {
  readonly load: () => Promise<unknown>;
}

/**
 * Fetches the code of other screens while the first one is read, one after the other, so that each opens at once.
 * `screens` is the same list at every rendering.
 */
export function useFetchedAhead(screens: readonly Loading[]): void {
  useEffect(() => {
    let isOver = false;
    const fetchAll = async (): Promise<void> => {
      for (const { load } of screens) {
        if (isOver) return;
        // What fails here is fetched again, and reported, when the screen is shown.
        await load().catch(() => undefined);
      }
    };
    const timer = setTimeout(() => void fetchAll(), REST_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [screens]);
}
