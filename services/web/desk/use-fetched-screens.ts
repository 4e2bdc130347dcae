import { useEffect } from "react";
import { matchRoute, useLocation, useRouter } from "wouter";
import { SCREENS } from "./screens.tsx";
import { useScreens } from "./use-screens.ts";

/** After the first screen has most of what it asks for. */
const REST_MS = 1_000;

/** Fetches the code of the screen that is opened, beside the session and not after it. */
export function useFetchedFirstScreen(): void {
  const { parser } = useRouter();
  const [path] = useLocation();
  useEffect(() => {
    const first = SCREENS.find((screen) => matchRoute(parser, screen.path, path)[0]) ?? SCREENS[0];
    // What fails here is fetched again, and reported, when the screen is shown.
    first?.load().catch(() => undefined);
  }, [parser, path]);
}

/** Fetches the other screens' code while the first one is read, one after the other, so that each opens at once. */
export function useFetchedScreens(): void {
  const screens = useScreens();
  useEffect(() => {
    let isOver = false;
    const fetchAll = async (): Promise<void> => {
      for (const { load } of screens) {
        if (isOver) return;
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
