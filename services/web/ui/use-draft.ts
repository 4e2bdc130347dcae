import { useState } from "react";

/** A text that is kept in the tab until it is sent: it survives a reload and a failed connection. */
export function useDraft(key: string): [string, (text: string) => void] {
  const name = `draft:${key}`;
  const [text, setText] = useState(() => sessionStorage.getItem(name) ?? "");
  const write = (next: string): void => {
    if (next === "") sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, next);
    setText(next);
  };
  return [text, write];
}
