import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from "react";
import styles from "./field.module.css";

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with the value, and what would be right. */
  readonly error?: string | null | undefined;
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

/** What a control has beside its own attributes; its changes come as the value alone. */
type Of<Attributes> = Omit<Attributes, "onChange"> &
  Omit<FieldProps, "children"> & {
    readonly value: string;
    readonly onChange: (value: string) => void;
  };

/** A line of text, a date or a time. */
export function TextField(props: Of<InputHTMLAttributes<HTMLInputElement>>) {
  const { label, hint, error, onChange, ...input } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input {...control} {...input} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

/** A text of several lines. */
export function TextArea(props: Of<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  const { label, hint, error, onChange, ...area } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <textarea {...control} {...area} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

/** Values with what people read for each. */
export type Options = readonly (readonly [value: string | number, text: ReactNode])[];

interface Choice extends Of<SelectHTMLAttributes<HTMLSelectElement>> {
  /** Asks for a choice, where none is made yet. */
  readonly prompt?: string;
  readonly options?: Options;
}

/** One of several values; groups of options are its children. */
export function SelectField(props: Choice) {
  const { label, hint, error, prompt, options = [], onChange, children, ...select } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select {...control} {...select} onChange={(event) => onChange(event.target.value)}>
          {prompt !== undefined && (
            <option value="" disabled>
              {prompt}
            </option>
          )}
          {optionsOf(options)}
          {children}
        </select>
      )}
    </Field>
  );
}

export function optionsOf(options: Options) {
  return options.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));
}
