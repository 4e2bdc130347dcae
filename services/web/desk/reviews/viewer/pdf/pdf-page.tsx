import { useEffect, useRef, useState } from "react";
import type { TextMatch } from "../find-in-text.ts";
import styles from "../viewer.module.css";
import { drawPage, type DrawnPage } from "./draw-page.ts";
import type { Pdf } from "./load-pdf.ts";

interface PdfPageProps {
  readonly pdf: Pdf;
  readonly number: number;
  /** In CSS pixels. */
  readonly width: number;
  /** In degrees, clockwise, beside the page's own. */
  readonly rotation: number;
  readonly matches: readonly TextMatch[];
  /** The match that is looked at. */
  readonly current: TextMatch | null;
  /** The page is to be scrolled to. */
  readonly isWanted: boolean;
  readonly onDrawn: () => void;
}

/** A4; only until the page is known. */
const USUAL_RATIO = 1.414;

export function PdfPage({ pdf, number, width, rotation, onDrawn, ...found }: PdfPageProps) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(place);
  const layers = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<DrawnPage | null>(null);
  const shown = useRef(onDrawn);
  useEffect(() => {
    shown.current = onDrawn;
  });
  useEffect(() => {
    if (!isNear || layers.current === null) return;
    const stop = new AbortController();
    const { signal } = stop;
    const to = { layers: layers.current, width, rotation, signal };
    drawPage(pdf, number, to).then(
      (page) => {
        if (signal.aborted) return;
        setDrawn(page);
        shown.current();
      },
      (error: unknown) => {
        if (!signal.aborted) console.warn("A page was not drawn.", error);
      },
    );
    return () => stop.abort();
  }, [pdf, number, width, rotation, isNear]);
  const isPlaced = drawn !== null && drawn.width === width && drawn.rotation === rotation;
  useEffect(() => {
    if (found.isWanted) place.current?.scrollIntoView({ block: "nearest" });
  }, [found.isWanted]);
  return (
    <div
      ref={place}
      className={styles["page"]}
      data-page={number}
      style={{ width, height: isPlaced ? drawn.height : (drawn?.height ?? width * USUAL_RATIO) }}
    >
      <div ref={layers} className={styles["layers"]} />
      {isPlaced && <Marks drawn={drawn} {...found} />}
    </div>
  );
}

type MarksProps = Pick<PdfPageProps, "matches" | "current"> & { readonly drawn: DrawnPage };

function Marks({ drawn, matches, current }: MarksProps) {
  return matches.flatMap((match, n) =>
    drawn
      .rectanglesOf(match)
      .map(({ left, top, width, height }, part) => (
        <Mark
          key={`${n}-${part}`}
          isCurrent={match === current}
          style={{ left, top, width, height }}
        />
      )),
  );
}

interface MarkProps {
  readonly isCurrent: boolean;
  readonly style: Readonly<Record<"left" | "top" | "width" | "height", number>>;
}

function Mark({ isCurrent, style }: MarkProps) {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isCurrent) mark.current?.scrollIntoView({ block: "center", inline: "nearest" });
  }, [isCurrent]);
  return (
    <mark
      ref={mark}
      className={styles["mark"]}
      data-current={isCurrent || undefined}
      style={style}
    />
  );
}

/** Whether an element is on the screen, or within a screen of it. */
function useIsNear(element: { readonly current: HTMLElement | null }): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setIsNear(true),
      { rootMargin: "100%" },
    );
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
