import { Tabs } from "@base-ui/react/tabs";
import { useState } from "react";
import { Empty } from "../../../ui/states.tsx";
import type { ShownDocument } from "../rules/case-documents.ts";
import { DocumentView } from "./document-view.tsx";
import { Toolbar } from "./toolbar.tsx";
import type { Viewer } from "./use-viewer.ts";
import type { Found } from "./view-props.ts";
import styles from "./viewer.module.css";

interface DocumentsPanelProps {
  readonly viewer: Viewer;
  /** The documents that were shown. */
  readonly seen: readonly string[];
  readonly onSeen: (documentId: string) => void;
}

/** The order's documents, one at a time; the one of the attempt before beside it. */
export function DocumentsPanel({ viewer, seen, onSeen }: DocumentsPanelProps) {
  const { shown } = viewer;
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
      className={styles["panel"]}
      value={isCurrent ? shown.document.id : null}
      onValueChange={(id) => viewer.show(String(id))}
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
            {seen.includes(document.id) && (
              <span className={styles["seen"]} title="Shown">
                {" "}
                <span aria-hidden="true">✓</span>
                <span className="visually-hidden">shown</span>
              </span>
            )}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Shown key={shown.document.id} viewer={viewer} shown={shown} onSeen={onSeen} />
    </Tabs.Root>
  );
}

function intoView(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

interface ShownProps extends Pick<DocumentsPanelProps, "viewer" | "onSeen"> {
  readonly shown: ShownDocument;
}

function Shown({ viewer, shown, onSeen }: ShownProps) {
  const [found, setFound] = useState<Found | null>(null);
  const { position, find, isCompared } = viewer;
  const { document, name, previous } = shown;
  const view = { position, find, name };
  return (
    <>
      <Toolbar viewer={viewer} found={find === null ? null : found} />
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
            onFound={setFound}
            onShown={() => onSeen(document.id)}
          />
        </figure>
      </div>
    </>
  );
}

function ignore(): void {
  // What is beside the document is looked at, not decided about.
}
