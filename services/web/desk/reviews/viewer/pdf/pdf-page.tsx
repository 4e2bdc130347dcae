import { useEffect, useRef, useState } from "react";
import { Failure, Skeleton } from "../../../../ui/states.tsx";
import type { TextMatch } from "../find-in-text.ts";
import styles from "../viewer.module.css";
import type { DrawnPage } from "./draw-page.ts";
import type { Pdf } from "./load-pdf.ts";
import { useDrawnPage } from "./use-drawn-page.ts";

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
  /** It is drawn, and its upper part was on the screen. */
  readonly onShown: () => void;
  readonly onRetry: () => void;
}

/** A4; only until the page is known. */
const USUAL_RATIO = 1.414;

export function PdfPage({ number, width, rotation, onRetry, ...page }: PdfPageProps) {
  const { pdf, onShown, ...found } = page;
  const place = useRef<HTMLDivElement>(null);
  const isNear = useWasSeen(place, "100%");
  const upper = useRef<HTMLDivElement>(null);
  const wasRead = useWasSeen(upper, "0px");
  const layers = useRef<HTMLDivElement>(null);
  const { drawn, error } = useDrawnPage(layers, { pdf, number, width, rotation, isNear });
  const isShown = wasRead && drawn !== null;
  useEffect(() => {
    if (isShown) onShown();
  }, [isShown]);
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
      <div ref={upper} className={styles["upper"]} />
      {error !== null && (
        <Failure title={`Page ${number} is not shown`} error={error} onRetry={onRetry} />
      )}
      {error === null && drawn === null && isNear && <Skeleton lines={12} />}
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

/** Whether an element has been on the screen, or no further from it than `margin`. */
function useWasSeen(element: { readonly current: HTMLElement | null }, margin: string): boolean {
  const [wasSeen, setWasSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setWasSeen(true),
      { rootMargin: margin },
    );
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, margin]);
  return wasSeen;
}
