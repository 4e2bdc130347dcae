import { useEffect, useRef, useState, type RefObject } from "react";
import { Failure, Skeleton } from "../../../ui/states.tsx";
import { findInText, type TextMatch } from "./find-in-text.ts";
import { drawPage, drawThumbnail, loadPdf, type DrawnPage, type Pdf } from "./pdf.ts";
import styles from "./viewer.module.css";
import { AWAITED, type ViewProps } from "./viewer.ts";

interface FoundMatch {
  readonly page: number;
  readonly match: TextMatch;
}

export interface FoundPages {
  readonly count: number;
  /** False for a scan, in which nothing can be found. */
  readonly hasText: boolean;
  /** The nth match, counted round and round. */
  at(nth: number): FoundMatch | null;
  onPage(page: number): readonly TextMatch[];
}

/** Papers are short; a longer file is searched as far as this. */
const MOST_PAGES = 100;

/** Where a value stands in a PDF; null while it is searched. */
function useFoundPages(pdf: Pdf, value: string): FoundPages | null {
  const [state, setState] = useState<{ value: string; found: FoundPages } | null>(null);
  useEffect(() => {
    if (value === "") return;
    let isLeft = false;
    void searchPages(pdf, value).then((found) => !isLeft && setState({ value, found }));
    return () => {
      isLeft = true;
    };
  }, [pdf, value]);
  return state !== null && state.value === value ? state.found : null;
}

async function searchPages(pdf: Pdf, value: string): Promise<FoundPages> {
  const numbers = Array.from({ length: Math.min(pdf.pageCount, MOST_PAGES) }, (_, n) => n + 1);
  const texts = await Promise.all(numbers.map((page) => pdf.text(page).catch(() => [])));
  const all = texts.flatMap((pieces, n) =>
    findInText(pieces, value).map((match) => ({ page: n + 1, match })),
  );
  return {
    count: all.length,
    hasText: texts.some((pieces) => pieces.some((piece) => piece.trim() !== "")),
    at: (nth) => all[nth % all.length] ?? null,
    onPage: (page) => all.filter((one) => one.page === page).map(({ match }) => match),
  };
}

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

function PdfPage({ number, width, rotation, onRetry, ...page }: PdfPageProps) {
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

/** A PDF's pages one below the other, fitted to the width. */
export function PdfView({ content, ...view }: ViewProps) {
  const { pdf, error, openAgain } = usePdf(content);
  if (error !== null) {
    return <Failure title="The document is not shown" error={error} onRetry={openAgain} />;
  }
  if (pdf === null) return <Skeleton {...AWAITED} />;
  return <Pages pdf={pdf} onRetry={openAgain} {...view} />;
}

/** An open PDF, and why it could not be opened; both null until it is. */
interface Opening {
  readonly pdf: Pdf | null;
  readonly error: unknown;
}

const UNDER_WAY: Opening = { pdf: null, error: null };

function usePdf(content: ArrayBuffer): Opening & { readonly openAgain: () => void } {
  const [opening, setOpening] = useState(UNDER_WAY);
  const [tries, setTries] = useState(1);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    loadPdf(content, signal).then(
      (pdf) => !signal.aborted && setOpening({ pdf, error: null }),
      (error: unknown) => !signal.aborted && setOpening({ pdf: null, error }),
    );
    return () => stop.abort();
  }, [content, tries]);
  const openAgain = (): void => {
    setOpening(UNDER_WAY);
    setTries(tries + 1);
  };
  return { ...opening, openAgain };
}

type PagesProps = Omit<ViewProps, "content"> & {
  readonly pdf: Pdf;
  /** Tries what failed once more. */
  readonly onRetry: () => void;
};

function Pages(props: PagesProps) {
  const { pdf, position, find, paging, onFound, onShown, onRetry } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  useScrolledPage(frame, props);
  const found = useFoundPages(pdf, find?.text ?? "");
  useEffect(() => {
    if (find !== null && found !== null) onFound({ count: found.count, hasText: found.hasText });
  }, [find, found]);
  const current = found?.at(find?.nth ?? 0) ?? null;
  return (
    <div className={styles["sheets"]}>
      {pdf.pageCount > 1 && paging.of !== null && <Thumbnails {...props} />}
      <div ref={frame} className={styles["pages"]}>
        {width > 0 &&
          Array.from({ length: pdf.pageCount }, (_, n) => (
            <PdfPage
              key={n}
              pdf={pdf}
              number={n + 1}
              width={width * position.zoom}
              rotation={position.rotation}
              matches={found?.onPage(n + 1) ?? []}
              current={current?.page === n + 1 ? current.match : null}
              isWanted={current?.page === n + 1 || (find?.page ?? 0) === n + 1}
              onShown={() => onShown(n + 1, pdf.pageCount)}
              onRetry={onRetry}
            />
          ))}
      </div>
    </div>
  );
}

/** A page counts as the one on the screen once it has passed this part of the frame. */
const READ_AT = 0.3;

/** Scrolls to the page that is jumped to, and reports the one that is on the screen as the frame is scrolled. */
function useScrolledPage(
  pages: RefObject<HTMLDivElement | null>,
  { pdf, paging, onPage }: PagesProps,
): void {
  const { pageCount } = pdf;
  const report = useRef(onPage);
  useEffect(() => {
    report.current = onPage;
  });
  useEffect(() => {
    const frame = frameOf(pages);
    if (frame === null) return;
    const onScroll = (): void => {
      const line = frame.getBoundingClientRect().top + frame.clientHeight * READ_AT;
      const all = [...(pages.current?.children ?? [])];
      const at = all.findLastIndex((page) => page.getBoundingClientRect().top <= line);
      report.current(Math.max(at, 0) + 1, pageCount);
    };
    onScroll();
    frame.addEventListener("scroll", onScroll, { passive: true });
    return () => frame.removeEventListener("scroll", onScroll);
  }, [pages, pageCount]);
  useEffect(() => {
    const page = pages.current?.children[paging.page - 1];
    const frame = frameOf(pages);
    if (paging.jump === 0 || page === undefined || frame === null) return;
    // Not the window, which `scrollIntoView` would move too.
    frame.scrollTop += page.getBoundingClientRect().top - frame.getBoundingClientRect().top;
  }, [paging.jump]);
}

/** What the pages are scrolled in. */
function frameOf(pages: RefObject<HTMLElement | null>): HTMLElement | null {
  return pages.current?.closest("figure") ?? null;
}

/** The document's pages in small, beside it. */
function Thumbnails({ pdf, paging, goToPage }: PagesProps) {
  return (
    <ul className={styles["thumbnails"]} aria-label="Pages">
      {Array.from({ length: pdf.pageCount }, (_, n) => (
        <Thumbnail
          key={n}
          pdf={pdf}
          number={n + 1}
          isHere={paging.page === n + 1}
          onGo={() => goToPage(n + 1)}
        />
      ))}
    </ul>
  );
}

interface ThumbnailProps extends Pick<PdfPageProps, "pdf" | "number"> {
  readonly isHere: boolean;
  readonly onGo: () => void;
}

const THUMBNAIL_WIDTH = 64;

function Thumbnail({ pdf, number, isHere, onGo }: ThumbnailProps) {
  const place = useRef<HTMLButtonElement>(null);
  const image = useRef<HTMLSpanElement>(null);
  const isNear = useWasSeen(place, "0px");
  useEffect(() => {
    if (!isNear) return;
    const stop = new AbortController();
    drawThumbnail(pdf, number, { width: THUMBNAIL_WIDTH, signal: stop.signal }).then(
      (canvas) => image.current?.replaceChildren(canvas),
      // The page itself says why it is not shown.
      () => undefined,
    );
    return () => stop.abort();
  }, [pdf, number, isNear]);
  useEffect(() => {
    const list = place.current?.closest("ul");
    if (!isHere || place.current === null || list == null) return;
    const { top } = place.current.getBoundingClientRect();
    list.scrollTop += top - list.getBoundingClientRect().top - list.clientHeight / 3;
  }, [isHere]);
  return (
    <li>
      <button
        ref={place}
        type="button"
        tabIndex={-1}
        aria-label={`Go to page ${number}`}
        aria-current={isHere || undefined}
        onClick={onGo}
      >
        <span ref={image} aria-hidden="true" />
        {number}
      </button>
    </li>
  );
}

/** The width of an element as it changes. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

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
function useDrawnPage(layers: RefObject<HTMLElement | null>, wanted: Wanted): Drawing {
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
