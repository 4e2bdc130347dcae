import { useEffect, useState, type RefObject } from "react";
import { drawPage, type DrawnPage } from "./draw-page.ts";
import type { Pdf } from "./load-pdf.ts";

interface Wanted {
  readonly pdf: Pdf;
  readonly number: number;
  /** In CSS pixels. */
  readonly width: number;
  /** In degrees, clockwise, beside the page's own. */
  readonly rotation: number;
  /** Whether it is to be drawn yet. */
  readonly isNear: boolean;
}

/** A page as it was last drawn into `layers`, and why it could not be; both null until it is. */
interface Drawing {
  readonly drawn: DrawnPage | null;
  readonly error: unknown;
}

/** Draws a page again as it is turned and enlarged. */
export function useDrawnPage(layers: RefObject<HTMLElement | null>, wanted: Wanted): Drawing {
  const { pdf, number, width, rotation, isNear } = wanted;
  const [drawing, setDrawing] = useState<Drawing>({ drawn: null, error: null });
  useEffect(() => {
    const { current: element } = layers;
    if (!isNear || element === null) return;
    const stop = new AbortController();
    const { signal } = stop;
    drawPage(pdf, number, { layers: element, width, rotation, signal }).then(
      (drawn) => {
        if (!signal.aborted) setDrawing({ drawn, error: null });
      },
      (error: unknown) => {
        if (signal.aborted) return;
        element.replaceChildren();
        setDrawing({ drawn: null, error });
      },
    );
    return () => stop.abort();
  }, [pdf, number, width, rotation, isNear, layers]);
  return drawing;
}
