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
  readonly onDrawn: () => void;
  readonly onRetry: () => void;
}

/** A4; only until the page is known. */
const USUAL_RATIO = 1.414;

export function PdfPage({ number, width, rotation, onRetry, ...page }: PdfPageProps) {
  const { pdf, onDrawn, ...found } = page;
  const place = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(place);
  const layers = useRef<HTMLDivElement>(null);
  const wanted = { pdf, number, width, rotation, isNear, onDrawn };
  const { drawn, error } = useDrawnPage(layers, wanted);
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
