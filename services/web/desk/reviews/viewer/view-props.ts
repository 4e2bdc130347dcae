/** How a document is turned and enlarged. */
export interface Position {
  /** 1 fits the width. */
  readonly zoom: number;
  /** In degrees, clockwise. */
  readonly rotation: number;
}

export const FITTED: Position = { zoom: 1, rotation: 0 };

export const ZOOM_STEP = 1.25;
const MOST_ZOOM = 5;

export function zoomed(position: Position, by: number): Position {
  const zoom = Math.min(Math.max(position.zoom * by, 1 / MOST_ZOOM), MOST_ZOOM);
  return { ...position, zoom };
}

export function rotated(position: Position): Position {
  return { ...position, rotation: (position.rotation + 90) % 360 };
}

/** A value to be shown in a document. */
export interface Find {
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
  readonly onFound: (found: Found) => void;
  /** A page is on the screen, from 1, of so many. */
  readonly onShown: (page: number, of: number) => void;
}
