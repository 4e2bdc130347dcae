import { useEffect, useRef } from "react";

/**
 * What each key does, by its `KeyboardEvent.key`: `a`, `A`, `Escape`; `g q` is one after the other, and `g` what happens
 * before it is known which.
 */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

const SEQUENCE_MS = 1_000;

/**
 * Keys of a page. None acts in an input, while a dialog is open, or with Ctrl, Alt or Meta, so that they take nothing
 * from the browser, from typing or from a screen reader; `Ctrl+…` entries are the named exceptions.
 */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    let first = { key: "", at: 0 };
    const onKey = (event: KeyboardEvent): void => {
      const name = nameOf(event, first);
      const act = name === null ? undefined : current.current[name];
      const key = name?.startsWith("g ") === true && act !== undefined ? "" : keyOf(event);
      first = { key, at: event.timeStamp };
      if (act === undefined) return;
      event.preventDefault();
      if (!event.repeat || mayRepeat(key)) act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function nameOf(event: KeyboardEvent, first: { key: string; at: number }): string | null {
  if (event.defaultPrevented || event.isComposing || event.altKey || isDialogOpen()) return null;
  const withControl = event.ctrlKey || event.metaKey;
  if (withControl) return `Ctrl+${event.key.length === 1 ? event.key.toLowerCase() : event.key}`;
  if (isTyping(event.target) || isPressing(event)) return null;
  const follows = event.timeStamp - first.at < SEQUENCE_MS && first.key === "g";
  return follows ? `g ${keyOf(event)}` : keyOf(event);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"))
  );
}

/** Whether the key presses what has the focus. */
function isPressing({ key, target }: KeyboardEvent): boolean {
  const isPress = key === "Enter" || key === " ";
  return isPress && target instanceof Element && target.matches("a, button, summary, input");
}

/** Toasts have a dialog's role too, and nothing waits for them. */
const OPEN_DIALOG = '[role="dialog"]:not([data-toast]), [role="alertdialog"]:not([data-toast])';

function isDialogOpen(): boolean {
  return document.querySelector(OPEN_DIALOG) !== null;
}

/** What a key's name depends on; a `KeyboardEvent`. */
interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  getModifierState(name: "CapsLock"): boolean;
}

/** The key as if caps lock were off: with it, `a` would approve every field in place of one. */
export function keyOf(pressed: PressedKey): string {
  const { key, shiftKey } = pressed;
  if (key.length !== 1 || !pressed.getModifierState("CapsLock")) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

/** Keys of which holding one down means more of the same; any other acts once, however long it is held. */
const REPEATING: ReadonlySet<string> = new Set(["j", "k", "[", "]", "+", "=", "-"]);

export function mayRepeat(key: string): boolean {
  return REPEATING.has(key);
}

/** Marks the link of a row that j and k go to: `<Link {...ROW_LINK}>`. */
export const ROW_LINK = { "data-row": "" } as const;

/** The links of all rows, from the first one on. */
export function rowLinks(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-row]")];
}

/** j and k move the focus from row to row of the list; Enter follows the row's link, as a browser does by itself. */
export function useRowKeys(): void {
  const go = (step: 1 | -1): void => {
    const rows = rowLinks();
    const row = document.activeElement?.closest("tr")?.querySelector<HTMLElement>("[data-row]");
    const here = row == null ? -1 : rows.indexOf(row);
    const next = here === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, here + step));
    rows[next]?.focus();
  };
  useKeys({ j: () => go(1), k: () => go(-1) });
}
