import { useEffect, useRef, useState } from "react";
import { Failure, Skeleton } from "../../../../ui/states.tsx";
import type { ViewProps } from "../view-props.ts";
import styles from "../viewer.module.css";
import { loadPdf, type Pdf } from "./load-pdf.ts";
import { PdfPage } from "./pdf-page.tsx";
import { useFoundPages } from "./use-found-pages.ts";

/** A PDF's pages one below the other, fitted to the width. */
export function PdfView({ content, ...view }: ViewProps) {
  const [pdf, error] = usePdf(content);
  if (error !== null) return <Failure error={error} />;
  if (pdf === null) return <Skeleton lines={12} />;
  return <Pages pdf={pdf} {...view} />;
}

function usePdf(content: ArrayBuffer): readonly [Pdf | null, unknown] {
  const [state, setState] = useState<readonly [Pdf | null, unknown]>([null, null]);
  useEffect(() => {
    let isLeft = false;
    let opened: Pdf | null = null;
    loadPdf(content).then(
      (pdf) => {
        opened = pdf;
        if (isLeft) pdf.close();
        else setState([pdf, null]);
      },
      (error: unknown) => !isLeft && setState([null, error]),
    );
    return () => {
      isLeft = true;
      opened?.close();
    };
  }, [content]);
  return state;
}

type PagesProps = Omit<ViewProps, "content"> & { readonly pdf: Pdf };

function Pages({ pdf, position, find, onFound, onShown }: PagesProps) {
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
            onDrawn={onShown}
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
