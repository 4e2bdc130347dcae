import { useEffect, useSyncExternalStore } from "react";
import { LongWait } from "./long-wait.ts";

const wait = new LongWait();

/** Shows the page to be loading while `isLoading`, after a moment; whether it shows that, for whatever reason. */
export function useLoading(isLoading: boolean): boolean {
  useEffect(() => (isLoading ? wait.begin() : undefined), [isLoading]);
  return useSyncExternalStore(wait.subscribe, wait.isShown);
}
