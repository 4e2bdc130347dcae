import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { matchRoute, useLocation, useRouter } from "wouter";
import { SCREENS } from "./screens.tsx";
import { wasSignedIn } from "./session/session.ts";
import { useScreens } from "./use-screens.ts";

/** Fetches the code of the screen that is opened, and what it shows first, beside the session and not after it. */
export function useFirstScreen(): void {
  const { parser } = useRouter();
  const [path] = useLocation();
  const client = useQueryClient();
  useEffect(() => {
    const first = SCREENS.find((screen) => matchRoute(parser, screen.path, path)[0]) ?? SCREENS[0];
    const search = new URLSearchParams(window.location.search);
    // What fails here is fetched again, and reported, when the screen is shown.
    first?.load().catch(() => undefined);
    if (wasSignedIn()) first?.ask?.(client, search).catch(() => undefined);
  }, [parser, path, client]);
}

/** Asks for what the screen at a path shows first, because it is likely to be opened next. */
export function useAskingAhead(): (path: string) => void {
  const client = useQueryClient();
  const screens = useScreens();
  return (path) => {
    const next = screens.find((screen) => screen.path === path);
    // What fails here is asked for again, and reported, when the screen is shown.
    next?.ask?.(client, new URLSearchParams()).catch(() => undefined);
  };
}
