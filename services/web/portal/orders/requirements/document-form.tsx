import { useState, type SubmitEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import type { Requirement } from "../order-types.ts";
import type { FormProps } from "./requirement-item.tsx";
import styles from "./requirements.module.css";
import { useField } from "./use-field.ts";

const MIB = 1024 * 1024;
const LAST_CHARACTERS_OF_DATE = 10;

/** A file with its date. */
export function DocumentForm(props: FormProps) {
  const { requirement } = props;
  const { isBusy, error, save } = useField(props);
  const [file, setFile] = useState<File | null>(null);
  const [date, setDate] = useState("");
  const { types, accepted } = acceptedBy(requirement);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (file === null) return;
    const form = new FormData();
    form.set("document_date", `${date}T00:00:00Z`);
    form.set("file", file);
    save(form);
  };
  return (
    <form className={styles["form"]} onSubmit={onSubmit}>
      <div className={styles["upload"]}>
        <Field label="File" hint={`${requirement.description ?? ""} ${accepted}`} error={error}>
          {(control) => (
            <input
              {...control}
              type="file"
              accept={types.join(",")}
              required
              onChange={(event) => setFile(event.target.files?.[0] ?? null)}
            />
          )}
        </Field>
        <Field label="Document date">
          {(control) => (
            <input
              {...control}
              type="date"
              required
              max={new Date().toISOString().slice(0, LAST_CHARACTERS_OF_DATE)}
              value={date}
              onChange={(event) => setDate(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Button type="submit" isBusy={isBusy} disabled={file === null || date === ""}>
        Upload
      </Button>
    </form>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  "application/pdf": "PDF",
  "image/jpeg": "JPEG",
  "image/png": "PNG",
  "image/tiff": "TIFF",
};

function acceptedBy({ acceptance_criteria: criteria = {} }: Requirement) {
  const { content_types: sent, max_bytes: bytes, max_age_days: days } = criteria;
  const types = Array.isArray(sent) ? sent.map(String) : [];
  const kinds = types.map((type) => KINDS[type] ?? type).join(", ");
  const size = typeof bytes === "number" ? ` up to ${Math.floor(bytes / MIB)} MB` : "";
  const age = typeof days === "number" ? `, at most ${days} days old` : "";
  return { types, accepted: `${kinds}${size}${age}.` };
}
