import { Tabs } from "@base-ui/react/tabs";
import { useEffect, useState } from "react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { arrived, send, withQuery } from "../../../ui/http/request.ts";
import { DataView, Empty, Failure, Skeleton } from "../../../ui/states.tsx";
import { isWholeShown, type Draft } from "../case/draft.ts";
import type { CaseDocument } from "../reviews.ts";
import { Toolbar } from "./toolbar.tsx";
import styles from "./viewer.module.css";
import { AWAITED, type Found, type ShownDocument, type Viewer, type ViewProps } from "./viewer.ts";

interface DocumentPage {
  readonly id: string;
  /** The page of a file that the service makes into images; null for the file itself. */
  readonly page: number | null;
}

const KEPT_MS = 5 * 60_000;

interface DocumentContent {
  readonly bytes: ArrayBuffer;
  /** How many pages the file has, where the service makes them into images. */
  readonly pages: number;
}

/** A document's content, which never changes; each fetch is recorded as a look at it. */
function contentQuery({ id, page }: DocumentPage) {
  return queryOptions({
    queryKey: ["documents", id, page],
    queryFn: async ({ signal }): Promise<DocumentContent> => {
      const query = page === null ? {} : { as: "png", page };
      const path = withQuery(`/desk/v1/documents/${id}`, query);
      const response = await send("GET", path, { signal, headers: { Accept: "*/*" } });
      const pages = Number(response.headers.get("Document-Pages") ?? 1);
      return { bytes: await arrived(response.arrayBuffer(), "GET", signal), pages };
    },
    staleTime: "static",
    gcTime: KEPT_MS,
  });
}

/** Fetched with the first PDF. Where that fails, as while the service restarts, the rest of the page stays as it is. */
const PDF_CODE = {
  queryKey: ["code", "pdf-view"],
  queryFn: () => import("./pdf-view.tsx"),
  staleTime: Infinity,
  gcTime: Infinity,
};

type DocumentViewProps = Omit<ViewProps, "content" | "contentType"> & {
  readonly document: CaseDocument;
};

/** A document, whatever it is made of. */
function DocumentView({ document, ...view }: DocumentViewProps) {
  const { id, content_type: contentType } = document;
  if (contentType === "image/tiff") return <TiffView {...view} id={id} />;
  return <WholeFile {...view} id={id} contentType={contentType} />;
}

type WholeFileProps = Omit<ViewProps, "content"> & { readonly id: string };

function WholeFile({ id, ...view }: WholeFileProps) {
  const query = useQuery(contentQuery({ id, page: null }));
  const { contentType } = view;
  return (
    <DataView query={query} awaited={<Skeleton {...AWAITED} />}>
      {({ bytes: content }) => {
        if (contentType === "application/pdf") {
          return <PdfFile {...view} content={content} />;
        }
        if (contentType.startsWith("image/"))
          return <ImageView {...view} content={content} page={1} of={1} />;
        return <Empty title="This kind of file cannot be shown">{contentType}</Empty>;
      }}
    </DataView>
  );
}

function PdfFile(view: ViewProps) {
  const query = useQuery(PDF_CODE);
  return (
    <DataView query={query} awaited={<Skeleton {...AWAITED} />}>
      {({ PdfView }) => <PdfView {...view} />}
    </DataView>
  );
}

/** The place of the documents on the page. */
export const DOCUMENTS_ID = "documents";

/** What was found, and in which document. */
interface FoundIn extends Found {
  readonly id: string;
}

interface DocumentsPanelProps {
  readonly viewer: Viewer;
  /** Which pages were shown. */
  readonly draft: Draft;
  readonly onShow: (documentId: string) => void;
  readonly onShown: (documentId: string, page: number, of: number) => void;
}

/** The order's documents, one at a time; the one of the attempt before beside it. */
export function DocumentsPanel({ viewer, draft, onShow, onShown }: DocumentsPanelProps) {
  const { shown } = viewer;
  const [found, setFound] = useState<FoundIn | null>(null);
  if (shown === null) {
    return (
      <section className={styles["panel"]} aria-label="Documents">
        <Empty title="No documents">The order has none; decide by its values.</Empty>
      </section>
    );
  }
  const isCurrent = viewer.current.includes(shown);
  return (
    <Tabs.Root
      id={DOCUMENTS_ID}
      className={styles["panel"]}
      value={isCurrent ? shown.document.id : null}
      onValueChange={(id) => onShow(String(id))}
    >
      <Tabs.List className={styles["tabs"]} aria-label="Documents">
        {viewer.current.map(({ document, name }) => (
          <Tabs.Tab
            key={document.id}
            ref={document.id === shown.document.id ? intoView : null}
            value={document.id}
            className={styles["tab"]}
          >
            {name}
            <ShownMark draft={draft} id={document.id} />
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Toolbar
        viewer={viewer}
        found={viewer.find !== null && found?.id === shown.document.id ? found : null}
      />
      <Shown
        key={shown.document.id}
        viewer={viewer}
        shown={shown}
        onFound={(one) => setFound({ id: shown.document.id, ...one })}
        onShown={onShown}
      />
    </Tabs.Root>
  );
}

/** Whether all pages were shown, or how many. */
function ShownMark({ draft, id }: { readonly draft: Draft; readonly id: string }) {
  const part = draft.shown[id];
  if (part === undefined) return null;
  if (!isWholeShown(draft, id)) {
    return (
      <span className={styles["part"]} title={`${part.pages.length} of ${part.of} pages shown`}>
        {" "}
        {part.pages.length}/{part.of}
      </span>
    );
  }
  return (
    <span className={styles["seen"]} title="Shown">
      {" "}
      <span aria-hidden="true">✓</span>
      <span className="visually-hidden">shown</span>
    </span>
  );
}

function intoView(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

interface ShownProps extends Pick<DocumentsPanelProps, "viewer" | "onShown"> {
  readonly shown: ShownDocument;
  readonly onFound: (found: Found) => void;
}

function Shown({ viewer, shown, onFound, onShown }: ShownProps) {
  const { position, find, paging, isCompared, goToPage, onPage } = viewer;
  const { document, name, previous } = shown;
  const view = { position, find, name, goToPage };
  return (
    <div className={styles["views"]} role="region" aria-label={`Document: ${name}`}>
      {isCompared && previous !== null && (
        <figure className={styles["view"]} tabIndex={0} aria-label="Before">
          <figcaption>Before</figcaption>
          <DocumentView
            {...view}
            document={previous}
            paging={{ ...paging, of: null }}
            onFound={ignore}
            onShown={ignore}
            onPage={ignore}
          />
        </figure>
      )}
      <figure className={styles["view"]} tabIndex={0} aria-label="Now">
        {isCompared && <figcaption>Now</figcaption>}
        <DocumentView
          {...view}
          document={document}
          paging={paging}
          onFound={onFound}
          onPage={onPage}
          onShown={(page, of) => onShown(document.id, page, of)}
        />
      </figure>
    </div>
  );
}

function ignore(): void {
  // What is beside the document is looked at, not decided about.
}

type TiffViewProps = Omit<ViewProps, "content" | "contentType"> & { readonly id: string };

/** A TIFF, which no browser shows: the service makes each page into an image. */
function TiffView({ id, name, ...view }: TiffViewProps) {
  const { page } = view.paging;
  const query = useQuery(contentQuery({ id, page }));
  const of = query.data?.pages;
  const { onPage } = view;
  useEffect(() => {
    if (of !== undefined) onPage(page, of);
  }, [page, of]);
  return (
    <DataView query={query} awaited={<Skeleton {...AWAITED} />}>
      {({ bytes, pages }) => (
        <ImageView
          {...view}
          content={bytes}
          contentType="image/png"
          name={`${name}, page ${page}`}
          page={page}
          of={pages}
        />
      )}
    </DataView>
  );
}

interface ImageViewProps extends ViewProps {
  /** Which page of the document it is, from 1, of how many. */
  readonly page: number;
  readonly of: number;
}

/** An image that the browser shows by itself. */
function ImageView(props: ImageViewProps) {
  const { content, contentType, name, position, find, page, of, ...view } = props;
  const url = useBlobUrl(content, contentType);
  const [isBroken, setIsBroken] = useState(false);
  const { onFound, onShown } = view;
  useEffect(() => {
    if (find !== null) onFound({ count: 0, hasText: false });
  }, [find]);
  if (isBroken)
    return (
      <Failure title="The document is not shown" error="The browser cannot show this image." />
    );
  const isSideways = position.rotation % 180 !== 0;
  return (
    <div className={styles["image"]} data-sideways={isSideways || undefined}>
      {url !== null && (
        <img
          src={url}
          alt={name}
          style={{
            width: `${position.zoom * 100}%`,
            transform: `rotate(${position.rotation}deg)`,
          }}
          onLoad={() => onShown(page, of)}
          onError={() => setIsBroken(true)}
        />
      )}
    </div>
  );
}

/** A URL of the content, as long as it is rendered. */
function useBlobUrl(content: ArrayBuffer, type: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([content], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content, type]);
  return url;
}
