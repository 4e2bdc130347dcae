import { useState } from "react";

const nameOf = (key: string): string => `draft:${key}`;

/** A button's text, which says so where a draft under this key waits to be sent. */
export function withDraft(text: string, key: string): string {
  return sessionStorage.getItem(nameOf(key)) === null ? text : `${text} (draft)`;
}

/** A text that is kept in the tab until it is sent: it survives a reload and a failed connection. */
export function useDraft(key: string): [string, (text: string) => void] {
  const name = nameOf(key);
  const [text, setText] = useState(() => sessionStorage.getItem(name) ?? "");
  const write = (next: string): void => {
    if (next === "") sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, next);
    setText(next);
  };
  return [text, write];
}
