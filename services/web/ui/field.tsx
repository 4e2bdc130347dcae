import { useId, type ReactNode } from "react";
import styles from "./field.module.css";

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with the value, and what would be right. */
  readonly error?: string | null;
  /** Where a heading beside it already shows the label. */
  readonly isLabelHidden?: boolean;
  /** Receives the ids that tie the control to its label, hint and error. */
  readonly children: (control: ControlProps) => ReactNode;
}

export interface ControlProps {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean | undefined;
  readonly className: string | undefined;
}

/** A labelled control with its hint and its error. */
export function Field({ label, hint, error = null, isLabelHidden = false, children }: FieldProps) {
  const id = useId();
  const notes = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(error === null ? [] : [`${id}-error`]),
  ];
  const control = {
    id,
    "aria-describedby": notes.length === 0 ? undefined : notes.join(" "),
    "aria-invalid": error !== null || undefined,
    className: styles["control"],
  };
  return (
    <div className={styles["field"]}>
      <label className={isLabelHidden ? "visually-hidden" : styles["label"]} htmlFor={id}>
        {label}
      </label>
      {children(control)}
      {hint !== undefined && (
        <p className={styles["hint"]} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== null && (
        <p className={styles["error"]} id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
