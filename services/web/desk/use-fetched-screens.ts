import { useEffect } from "react";
import { useScreens } from "./use-screens.ts";

/** After the first screen has most of what it asks for. */
const REST_MS = 1_000;

/** Fetches the other screens' code while the first one is read, one after the other, so that each opens at once. */
export function useFetchedScreens(): void {
  const screens = useScreens();
  useEffect(() => {
    let isOver = false;
    const fetchAll = async (): Promise<void> => {
      for (const { load } of screens) {
        if (isOver) return;
        // What fails here is fetched again, and reported, when the screen is opened.
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
