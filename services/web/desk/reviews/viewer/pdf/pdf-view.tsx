import { useEffect, useRef, useState } from "react";
import { Failure } from "../../../../ui/states.tsx";
import { AwaitedDocument } from "../awaited-document.tsx";
import type { ViewProps } from "../view-props.ts";
import styles from "../viewer.module.css";
import { loadPdf, type Pdf } from "./load-pdf.ts";
import { PdfPage } from "./pdf-page.tsx";
import { useFoundPages } from "./use-found-pages.ts";

/** A PDF's pages one below the other, fitted to the width. */
export function PdfView({ content, ...view }: ViewProps) {
  const { pdf, error, openAgain } = usePdf(content);
  if (error !== null) {
    return <Failure title="The document is not shown" error={error} onRetry={openAgain} />;
  }
  if (pdf === null) return <AwaitedDocument />;
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

function Pages({ pdf, position, find, onFound, onShown, onRetry }: PagesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const found = useFoundPages(pdf, find?.text ?? "");
  useEffect(() => {
    if (find !== null && found !== null) onFound({ count: found.count, hasText: found.hasText });
  }, [find, found]);
  const current = found?.at(find?.nth ?? 0) ?? null;
  return (
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
