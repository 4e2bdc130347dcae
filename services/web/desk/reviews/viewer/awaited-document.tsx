import { Skeleton } from "../../../ui/states.tsx";

/** In a document's place until it can be shown, which takes its bytes, the code that draws it, and the opening. */
export function AwaitedDocument() {
  return <Skeleton lines={12} label="Loading the document…" />;
}
