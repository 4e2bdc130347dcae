import { useEffect, useRef } from "react";

/** What each key does, by its `KeyboardEvent.key`: `a`, `A`, `Escape`; `g q` is one after the other. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

const SEQUENCE_MS = 1_000;

/**
 * Keys of a page. None acts in an input, behind a dialog, or with Ctrl, Alt or Meta, so that they take nothing from
 * the browser, from typing or from a screen reader; `Ctrl+…` entries are the named exceptions.
 */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    let first = { key: "", at: 0 };
    const onKey = (event: KeyboardEvent): void => {
      const name = nameOf(event, first);
      const act = name === null ? undefined : current.current[name];
      first = { key: event.key, at: event.timeStamp };
      if (act === undefined) return;
      event.preventDefault();
      first = { key: "", at: 0 };
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function nameOf(event: KeyboardEvent, first: { key: string; at: number }): string | null {
  if (event.defaultPrevented || event.isComposing || event.altKey) return null;
  if (isBehindDialog(event.target)) return null;
  const withControl = event.ctrlKey || event.metaKey;
  if (withControl) return `Ctrl+${event.key}`;
  if (isTyping(event.target)) return null;
  const follows = event.timeStamp - first.at < SEQUENCE_MS && first.key === "g";
  return follows ? `g ${event.key}` : event.key;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"))
  );
}

/** Whether a dialog is open and the key was not pressed in it. */
function isBehindDialog(target: EventTarget | null): boolean {
  const dialog = document.querySelector('[role="dialog"], [role="alertdialog"]');
  return dialog !== null && !(target instanceof Node && dialog.contains(target));
}
