import { useEffect, useState } from "react";
import { useHistoryState } from "wouter/use-browser-location";

/** What a navigation says where the page is to begin with its dialog for something new; another number each time. */
interface AddingState {
  readonly wantsNew?: number;
}

export function addingState(): AddingState {
  return { wantsNew: performance.now() };
}

/** Whether the dialog for something new is open: by the page's own button, or because the palette came for it. */
export function useAdding(): [isAdding: boolean, setIsAdding: (isAdding: boolean) => void] {
  const { wantsNew = 0 } = useHistoryState<AddingState | null>() ?? {};
  const [isAdding, setIsAdding] = useState(false);
  useEffect(() => {
    if (wantsNew > 0) setIsAdding(true);
  }, [wantsNew]);
  return [isAdding, setIsAdding];
}
