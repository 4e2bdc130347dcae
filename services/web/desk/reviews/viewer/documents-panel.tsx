import { Tabs } from "@base-ui/react/tabs";
import { useState } from "react";
import { Empty } from "../../../ui/states.tsx";
import { isWholeShown, type Draft } from "../drafts/draft.ts";
import type { ShownDocument } from "../rules/case-documents.ts";
import { DocumentView } from "./document-view.tsx";
import { Toolbar } from "./toolbar.tsx";
import type { Viewer } from "./use-viewer.ts";
import type { Found } from "./view-props.ts";
import styles from "./viewer.module.css";

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
  const { position, find, isCompared } = viewer;
  const { document, name, previous } = shown;
  const view = { position, find, name };
  return (
    <div className={styles["views"]} role="region" aria-label={`Document: ${name}`}>
      {isCompared && previous !== null && (
        <figure className={styles["view"]} tabIndex={0} aria-label="Before">
          <figcaption>Before</figcaption>
          <DocumentView {...view} document={previous} onFound={ignore} onShown={ignore} />
        </figure>
      )}
      <figure className={styles["view"]} tabIndex={0} aria-label="Now">
        {isCompared && <figcaption>Now</figcaption>}
        <DocumentView
          {...view}
          document={document}
          onFound={onFound}
          onShown={(page, of) => onShown(document.id, page, of)}
        />
      </figure>
    </div>
  );
}

function ignore(): void {
  // What is beside the document is looked at, not decided about.
}
