import type { CaseRequirement } from "../types.ts";
import { Time } from "../../../ui/time.tsx";
import type { Viewer } from "../viewer/use-viewer.ts";
import styles from "./case.module.css";

interface FieldValueProps {
  readonly field: CaseRequirement;
  readonly viewer: Viewer;
}

/** The value, and what stood there at the attempt before. */
export function FieldValue({ field, viewer }: FieldValueProps) {
  if (field.document_id !== null) return <DocumentValue field={field} viewer={viewer} />;
  const { field_value: value, previous_value: previous } = field;
  if (value === null) return <p className={styles["none"]}>No value</p>;
  const isChanged = previous !== null && previous !== value;
  return (
    <p className={styles["values"]}>
      {isChanged && (
        <>
          <del className={styles["previous"]}>
            <span className="visually-hidden">Before: </span>
            {previous}
          </del>
          <span aria-hidden="true">→</span>
          <span className="visually-hidden">Now: </span>
        </>
      )}
      <button
        type="button"
        className={styles["value"]}
        title="Find it in the document"
        onClick={() => viewer.findValue(value)}
      >
        {value}
      </button>
    </p>
  );
}

function DocumentValue({ field, viewer }: FieldValueProps) {
  const { document_id: id, document_date: date, previous_document_id: previous, name } = field;
  if (id === null) return null;
  return (
    <p className={styles["values"]}>
      <button type="button" className={styles["value"]} onClick={() => viewer.show(id)}>
        {viewer.shown?.document.id === id ? "Document shown" : "Show document"}
        <span className="visually-hidden"> {name}</span>
      </button>
      {date !== null && (
        <span>
          dated <Time at={date} form="day" />
        </span>
      )}
      {previous !== null && previous !== id && <span>replaces an earlier file</span>}
    </p>
  );
}
