import { useQuery } from "@tanstack/react-query";
import { DataView } from "../../../ui/data-view.tsx";
import { Empty } from "../../../ui/states.tsx";
import type { CaseDocument } from "../types.ts";
import { AwaitedDocument } from "./awaited-document.tsx";
import { contentQuery } from "./content-query.ts";
import { ImageView } from "./image-view.tsx";
import { TiffView } from "./tiff-view.tsx";
import type { ViewProps } from "./view-props.ts";

/** Fetched with the first PDF. Where that fails, as while the service restarts, the rest of the page stays as it is. */
const PDF_CODE = {
  queryKey: ["code", "pdf-view"],
  queryFn: () => import("./pdf/pdf-view.tsx"),
  staleTime: Infinity,
  gcTime: Infinity,
};

type DocumentViewProps = Omit<ViewProps, "content" | "contentType"> & {
  readonly document: CaseDocument;
};

/** A document, whatever it is made of. */
export function DocumentView({ document, ...view }: DocumentViewProps) {
  const { id, content_type: contentType } = document;
  if (contentType === "image/tiff") return <TiffView {...view} id={id} />;
  return <WholeFile {...view} id={id} contentType={contentType} />;
}

type WholeFileProps = Omit<ViewProps, "content"> & { readonly id: string };

function WholeFile({ id, ...view }: WholeFileProps) {
  const query = useQuery(contentQuery({ id, page: null }));
  const { contentType } = view;
  return (
    <DataView query={query} awaited={<AwaitedDocument />}>
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
    <DataView query={query} awaited={<AwaitedDocument />}>
      {({ PdfView }) => <PdfView {...view} />}
    </DataView>
  );
}
