import { useState } from "react";
import {
  currentDocuments,
  documentWith,
  earlierDocuments,
  type ShownDocument,
} from "../rules/case-documents.ts";
import { stepFrom } from "../rules/next-field.ts";
import type { ReviewCase } from "../types.ts";
import { FITTED, rotated, zoomed, ZOOM_STEP, type Find, type Position } from "./view-props.ts";

interface FoundAt {
  readonly id: string;
  readonly page: number | null;
}

export interface Viewer {
  readonly current: readonly ShownDocument[];
  readonly earlier: readonly ShownDocument[];
  /** What is shown; null where the order has no document. */
  readonly shown: ShownDocument | null;
  readonly position: Position;
  readonly find: Find | null;
  readonly isCompared: boolean;
  readonly show: (id: string) => void;
  /** Shows the next document, or with -1 the one before; returns its id, null where there is none. */
  readonly step: (by: 1 | -1) => string | null;
  readonly zoom: (by: "in" | "out" | "fit") => void;
  readonly rotate: () => void;
  readonly compare: () => void;
  /** Shows a value in the document that is open, or in `at`. */
  readonly findValue: (text: string, at?: FoundAt) => void;
  readonly findNext: (by: 1 | -1) => void;
}

const ZOOM = { in: ZOOM_STEP, out: 1 / ZOOM_STEP } as const;

/** Which document of a case is shown, and how. */
export function useViewer(review: ReviewCase): Viewer {
  const current = currentDocuments(review);
  const earlier = earlierDocuments(review);
  const [id, setId] = useState<string | null>(null);
  const [position, setPosition] = useState(FITTED);
  const [find, setFind] = useState<Find | null>(null);
  const [isCompared, setIsCompared] = useState(false);
  const all = [...current, ...earlier];
  const shown = all.find(({ document }) => document.id === id) ?? current[0] ?? all[0] ?? null;
  const show = (next: string): void => {
    if (next === shown?.document.id) return;
    setId(next);
    setPosition(FITTED);
    setFind((before) => (before === null ? null : { ...before, nth: 0, page: null }));
  };
  return {
    current,
    earlier,
    shown,
    position,
    find,
    isCompared: isCompared && shown?.previous != null,
    show,
    step: (by) => {
      const next = stepFrom(current, shown, by);
      if (next !== null) show(next.document.id);
      return next?.document.id ?? null;
    },
    zoom: (by) => setPosition((now) => (by === "fit" ? FITTED : zoomed(now, ZOOM[by]))),
    rotate: () => setPosition(rotated),
    compare: () => setIsCompared((now) => !now),
    findValue: (text, at) => {
      const holder = at?.id ?? documentWith(review, text, shown?.document.id ?? null);
      if (holder !== null) show(holder);
      setFind(text === "" ? null : { text, nth: 0, page: at?.page ?? null });
    },
    findNext: (by) =>
      setFind((now) =>
        now === null ? null : { ...now, nth: Math.max(now.nth + by, 0), page: null },
      ),
  };
}
