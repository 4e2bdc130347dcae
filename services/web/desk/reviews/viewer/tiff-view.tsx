import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Problem } from "../../../ui/http/problem.ts";
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
  const { error } = query;
  // How many pages there are is learned by asking for one too many.
  if (page > 1 && error instanceof Problem && error.status < 500 && error.status > 0) {
    setLast(page - 1);
    setPage(page - 1);
  }
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
        <Button kind="quiet" disabled={page === last} onClick={() => setPage(page + 1)}>
          Next page
        </Button>
      </div>
      <DataView query={query} awaited={<AwaitedDocument />}>
        {(content) => (
          <ImageView
            {...view}
            content={content}
            contentType="image/png"
            name={`${name}, page ${page}`}
          />
        )}
      </DataView>
    </>
  );
}
