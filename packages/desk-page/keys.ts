import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useKeys, type Keys } from "../ui/keys.ts";

interface KeyRow {
  /** By `KeyboardEvent.key`; each of them does it. */
  readonly keys: readonly string[];
  readonly does: string;
  readonly group: KeyGroup;
}

export const KEY_GROUPS = [
  "Everywhere",
  "The queue",
  "Documents of a case",
  "A case",
  "An order",
] as const;
type KeyGroup = (typeof KEY_GROUPS)[number];

/** Every key of the desk beside the `g …` of its screens; the help dialog is made from it. */
export const KEY_TABLE = {
  help: { keys: ["?"], does: "Show these keys", group: "Everywhere" },
  palette: { keys: ["Ctrl+k"], does: "Go to, or do, anything", group: "Everywhere" },
  search: { keys: ["/"], does: "Search", group: "Everywhere" },
  alerts: { keys: ["b"], does: "Show what concerns you", group: "Everywhere" },
  back: { keys: ["Escape"], does: "Back, or close", group: "Everywhere" },
  down: { keys: ["j"], does: "Next row, or next field", group: "The queue" },
  up: { keys: ["k"], does: "Previous row, or previous field", group: "The queue" },
  open: { keys: ["Enter"], does: "Open the case and claim it", group: "The queue" },
  /** By the table itself, of any list whose rows can be selected. */
  select: { keys: [" "], does: "Select the row; with Shift, all up to it", group: "The queue" },
  nextDocument: { keys: ["d"], does: "Next document", group: "Documents of a case" },
  previousDocument: { keys: ["D"], does: "Previous document", group: "Documents of a case" },
  nextPage: { keys: ["]"], does: "Next page", group: "Documents of a case" },
  previousPage: { keys: ["["], does: "Previous page", group: "Documents of a case" },
  goToPage: { keys: ["p"], does: "Go to a page by its number", group: "Documents of a case" },
  findValue: {
    keys: ["f"],
    does: "Find the field’s value, enlarged; again, its next place",
    group: "Documents of a case",
  },
  zoomIn: { keys: ["+", "="], does: "Zoom in", group: "Documents of a case" },
  zoomOut: { keys: ["-"], does: "Zoom out", group: "Documents of a case" },
  zoomFit: { keys: ["0"], does: "Fit the width", group: "Documents of a case" },
  rotate: { keys: ["."], does: "Rotate", group: "Documents of a case" },
  field: {
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    does: "Go to the field with this number; in a rejection, choose this reason",
    group: "A case",
  },
  approve: { keys: ["a"], does: "Approve the field, go to the next", group: "A case" },
  approveAll: {
    keys: ["A"],
    does: "Approve all fields without failed checks whose documents were shown whole",
    group: "A case",
  },
  reject: { keys: ["r"], does: "Reject the field", group: "A case" },
  undo: { keys: ["u"], does: "Undo the last verdict, or the sending", group: "A case" },
  send: { keys: ["Ctrl+Enter"], does: "Send the verdicts, open the next case", group: "A case" },
  skip: { keys: ["e"], does: "Skip to the next case", group: "A case" },
  comment: { keys: ["c"], does: "Write a comment to the customer", group: "A case" },
  note: { keys: ["n"], does: "Write an internal note", group: "A case" },
  release: { keys: ["x"], does: "Release the claim", group: "A case" },
  carrierUpdate: { keys: ["w"], does: "Write down what the carrier said", group: "An order" },
  trace: { keys: ["t"], does: "Show its trace", group: "An order" },
} as const satisfies Readonly<Record<string, KeyRow>>;

export type KeyAction = keyof typeof KEY_TABLE;

/** What each does, told which of its keys it was. */
type KeyActions = Readonly<Partial<Record<KeyAction, ((key: string) => void) | undefined>>>;

/** Does by key what a page does by name. */
export function useKeyActions(actions: KeyActions): void {
  useKeys(keysOf(actions));
  const current = useRef(actions);
  useEffect(() => {
    current.current = actions;
  });
  useEffect(() => {
    bound.add(current);
    return () => void bound.delete(current);
  }, []);
}

const bound = new Set<{ readonly current: KeyActions }>();

/** Keys that move, and those that open the palette itself, are no actions by name. */
const BY_KEY_ALONE: ReadonlySet<KeyAction> = new Set([
  "palette",
  "back",
  "down",
  "up",
  "open",
  "select",
]);

/** What the open page does by key now. */
export function activeActions(): [name: KeyAction, act: () => void][] {
  const all = [...bound].flatMap(({ current }) => Object.entries(current));
  return (all as [KeyAction, (() => void) | undefined][]).flatMap(([name, act]) =>
    act === undefined || BY_KEY_ALONE.has(name) ? [] : [[name, act]],
  );
}

function keysOf(actions: KeyActions): Keys {
  const bound = Object.entries(actions) as [KeyAction, KeyActions[KeyAction]][];
  return Object.fromEntries(
    bound.flatMap(([name, act]) =>
      KEY_TABLE[name].keys.map((key) => [key, act === undefined ? act : () => act(key)]),
    ),
  );
}

const NAMES: Readonly<Record<string, string>> = {
  Escape: "Esc",
  "Ctrl+k": "Ctrl+K",
  " ": "Space",
  "1": "1 … 9",
};

/** As it stands on a button or in the help. */
export function keyText(name: KeyAction): string {
  const [key] = KEY_TABLE[name].keys;
  return NAMES[key] ?? key;
}

/** Marks the page's search box, which the key `/` goes to: `<input {...SEARCH_BOX}>`. */
export const SEARCH_BOX = { "data-search": "" } as const;

/** What a navigation to the orders says where the search box is wanted. */
export interface SearchState {
  readonly wantsSearch?: boolean;
}

/** Goes to the search box of the page, or to that of the orders where the page has none. */
export function useSearch(): () => void {
  const [, navigate] = useLocation();
  return () => {
    const box = document.querySelector<HTMLInputElement>("input[data-search]");
    if (box !== null) box.select();
    else navigate("/orders", { state: { wantsSearch: true } satisfies SearchState });
  };
}
