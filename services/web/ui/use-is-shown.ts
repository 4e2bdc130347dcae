import { useCallback, useEffect, useRef } from "react";

/** Asks whether the page or dialog is still shown: false as soon as the person has left it, so that a late answer neither leads away from where they are, nor closes what they opened since. */
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
