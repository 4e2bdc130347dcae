import { useState } from "react";
import { inReadingOrder, stepFrom } from "../case/verdicts.ts";
import type { CaseDocument, CaseRequirement, ReviewCase } from "../reviews.ts";

export interface Viewer {
  readonly current: readonly ShownDocument[];
  readonly earlier: readonly ShownDocument[];
  /** What is shown; null where the order has no document. */
  readonly shown: ShownDocument | null;
  readonly position: Position;
  readonly find: Find | null;
  readonly paging: Paging;
  readonly isCompared: boolean;
  readonly show: (id: string) => void;
  /** Shows the next document, or with -1 the one before; returns its id, null where there is none. */
  readonly step: (by: 1 | -1) => string | null;
  readonly zoom: (by: "in" | "out" | "fit") => void;
  readonly rotate: () => void;
  readonly compare: () => void;
  /** Shows a value in the document that is open, or in `at`. */
  readonly findValue: (text: string, at?: { id: string; page: number | null }) => void;
  readonly findNext: (by: 1 | -1) => void;
  /** Shows a value that is a field's, enlarged, and where it stands next when it is asked for again. */
  readonly findField: (field: CaseRequirement) => void;
  readonly goToPage: (page: number) => void;
  /** This page of the document is on the screen now, of so many. */
  readonly onPage: OnPage;
}

type OnPage = (page: number, of: number) => void;

/** Which page of the document is on the screen. */
interface Paging {
  /** From 1. */
  readonly page: number;
  /** How many there are; null until that is known. */
  readonly of: number | null;
  /** Another with each jump, after which the page is scrolled to. */
  readonly jump: number;
}

const FIRST_PAGE: Paging = { page: 1, of: null, jump: 0 };

/** Which document of a case is shown, and how. */
export function useViewer(review: ReviewCase): Viewer {
  const current = currentDocuments(review);
  const earlier = earlierDocuments(review);
  const [id, setId] = useState<string | null>(null);
  const [position, setPosition] = useState(FITTED);
  const [find, setFind] = useState<Find | null>(null);
  const [paging, setPaging] = useState(FIRST_PAGE);
  const [isCompared, setIsCompared] = useState(false);
  const all = [...current, ...earlier];
  const shown = all.find(({ document }) => document.id === id) ?? current[0] ?? all[0] ?? null;
  const show = (next: string): void => {
    if (next === shown?.document.id) return;
    setId(next);
    setPosition(FITTED);
    setPaging(FIRST_PAGE);
    setFind((before) => (before === null ? null : { ...before, nth: 0, page: null }));
  };
  const findValue: Viewer["findValue"] = (text, at) => {
    const holder = at?.id ?? documentWith(review, text, shown?.document.id ?? null);
    if (holder !== null) show(holder);
    setFind(text === "" ? null : { text, nth: 0, page: at?.page ?? null });
  };
  const findNext: Viewer["findNext"] = (by) =>
    setFind((now) =>
      now === null ? null : { ...now, nth: Math.max(now.nth + by, 0), page: null },
    );
  return {
    current,
    earlier,
    shown,
    position,
    find,
    paging,
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
    findValue,
    findNext,
    findField: (field) => {
      const values = valuesOf(field);
      const at = values.indexOf(find?.text ?? "");
      const next = values[(at + 1) % values.length];
      if (next === undefined) return;
      if (next === find?.text) findNext(1);
      else
        findValue(
          next,
          field.document_id === null ? undefined : { id: field.document_id, page: null },
        );
      setPosition((now) => ({ ...now, zoom: Math.max(now.zoom, CLOSE) }));
    },
    goToPage: (page) =>
      setPaging((now) => ({
        ...now,
        page: Math.min(Math.max(page, 1), now.of ?? 1),
        jump: now.jump + 1,
      })),
    onPage: (page, of) =>
      setPaging((now) => (now.page === page && now.of === of ? now : { ...now, page, of })),
  };
}

/** How a document is turned and enlarged. */
interface Position {
  /** 1 fits the width. */
  readonly zoom: number;
  /** In degrees, clockwise. */
  readonly rotation: number;
}

const FITTED: Position = { zoom: 1, rotation: 0 };

/** Large enough to read a value in a fax. */
const CLOSE = 1.5;
const ZOOM_STEP = 1.25;
const ZOOM = { in: ZOOM_STEP, out: 1 / ZOOM_STEP } as const;
const MOST_ZOOM = 5;

function zoomed(position: Position, by: number): Position {
  const zoom = Math.min(Math.max(position.zoom * by, 1 / MOST_ZOOM), MOST_ZOOM);
  return { ...position, zoom };
}

function rotated(position: Position): Position {
  return { ...position, rotation: (position.rotation + 90) % 360 };
}

/** What can be looked for of a field: its value, or what its document holds of the order. */
function valuesOf({ field_value: value, document_id: id, matches }: CaseRequirement): string[] {
  if (id === null) return value === null ? [] : [value];
  return matches.filter(({ found }) => found === true).map((match) => match.value);
}

/** A value to be shown in a document. */
interface Find {
  readonly text: string;
  /** Which of its places is looked at, from 0. */
  readonly nth: number;
  /** The page on which the service found it, from 1. */
  readonly page: number | null;
}

export interface Found {
  readonly count: number;
  /** False where nothing can be found: a scan, an image. */
  readonly hasText: boolean;
}

/** What the views of each kind of document are given. */
export interface ViewProps {
  readonly content: ArrayBuffer;
  readonly contentType: string;
  /** What a screen reader calls it. */
  readonly name: string;
  readonly position: Position;
  readonly find: Find | null;
  readonly paging: Paging;
  readonly onFound: (found: Found) => void;
  /** A page was on the screen, from 1, of so many. */
  readonly onShown: OnPage;
  /** Which page is on the screen now. */
  readonly onPage: OnPage;
  readonly goToPage: (page: number) => void;
}

export interface ShownDocument {
  readonly document: CaseDocument;
  /** The requirement's name. */
  readonly name: string;
  /** What stood there at the attempt before, where it was another. */
  readonly previous: CaseDocument | null;
}

/** The documents to decide about, in the order in which the fields are read. */
function currentDocuments(review: ReviewCase): readonly ShownDocument[] {
  const find = finder(review);
  return inReadingOrder(review).flatMap((one) => {
    if (one.document_id === null) return [];
    const document = find(one.document_id);
    if (document === null) return [];
    const isOther = one.previous_document_id !== one.document_id;
    const previous = isOther ? find(one.previous_document_id) : null;
    return [{ document, name: one.name, previous }];
  });
}

/** Files that were replaced since, the latest first. */
function earlierDocuments(review: ReviewCase): readonly ShownDocument[] {
  const current = new Set(review.requirements.map(({ document_id: id }) => id));
  const names = new Map(review.requirements.map(({ slug, name }) => [slug, name]));
  return review.documents
    .filter(({ id }) => !current.has(id))
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at))
    .map((document) => ({
      document,
      name: names.get(document.slug) ?? document.slug,
      previous: null,
    }));
}

function finder({ documents }: ReviewCase) {
  return (id: string | null): CaseDocument | null =>
    documents.find((document) => document.id === id) ?? null;
}

/** The document whose text holds a value, `shown` itself if it does; null where the service found it in none. */
function documentWith(
  { requirements }: Pick<ReviewCase, "requirements">,
  value: string,
  shown: string | null,
): string | null {
  const holders = requirements
    .filter(({ matches }) => matches.some((match) => match.value === value && match.found))
    .map(({ document_id: id }) => id);
  return holders.find((id) => id === shown) ?? holders[0] ?? null;
}

/** In a document's place until it can be shown, which takes its bytes, the code that draws it, and the opening. */
export const AWAITED = { lines: 12, label: "Loading the document…" } as const;
