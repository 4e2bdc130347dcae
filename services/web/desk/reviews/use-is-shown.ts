import { useCallback, useEffect, useRef } from "react";

/** Asks whether the page is still shown: false as soon as the operator has gone elsewhere, so that a late answer does not lead away from there. */
export function useIsShown(): () => boolean {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return useCallback(() => isShown.current, []);
}
