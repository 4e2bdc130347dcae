import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { DataView } from "../../../ui/data-view.tsx";
import { AwaitedDocument } from "./awaited-document.tsx";
import { contentQuery } from "./content-query.ts";
import { ImageView } from "./image-view.tsx";
import type { ViewProps } from "./view-props.ts";
import styles from "./viewer.module.css";

type TiffViewProps = Omit<ViewProps, "content" | "contentType"> & { readonly id: string };

/** A TIFF, which no browser shows: the service makes each page into an image. */
export function TiffView({ id, name, ...view }: TiffViewProps) {
  const [page, setPage] = useState(1);
  const [last, setLast] = useState<number | null>(null);
  const query = useQuery(contentQuery({ id, page }));
  if (query.data !== undefined && query.data.pages !== last) setLast(query.data.pages);
  return (
    <>
      <div className={styles["paging"]}>
        <Button kind="quiet" disabled={page === 1} onClick={() => setPage(page - 1)}>
          Previous page
        </Button>
        <span role="status">
          Page {page}
          {last !== null && ` of ${last}`}
        </span>
        <Button
          kind="quiet"
          disabled={last === null || page >= last}
          onClick={() => setPage(page + 1)}
        >
          Next page
        </Button>
      </div>
      <DataView query={query} awaited={<AwaitedDocument />}>
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
    </>
  );
}
