import type { CaseRequirement } from "../types.ts";
import { DOCUMENTS_ID } from "../viewer/documents-panel.tsx";
import type { Viewer } from "../viewer/use-viewer.ts";
import type { Work } from "./use-work.ts";

/** Goes to a field and its document together, so that the keys act on what is shown. */
export function useSelection(work: Work, viewer: Viewer) {
  const select = (field: CaseRequirement | null): void => {
    if (field === null) return;
    work.select(field.slug);
    if (field.document_id !== null) viewer.show(field.document_id);
  };
  const selectDocument = (id: string | null): void => {
    if (id === null) return;
    viewer.show(id);
    select(work.fields.find((field) => field.document_id === id) ?? null);
    // The field's row has been scrolled to by then, which in a narrow window leads away from the document.
    requestAnimationFrame(() =>
      document.getElementById(DOCUMENTS_ID)?.scrollIntoView({ block: "nearest" }),
    );
  };
  return { select, selectDocument, undo: () => select(work.undo()) };
}
