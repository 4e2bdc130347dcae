import { useState, type SubmitEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import type { Fetch } from "../../../ui/http/request.ts";
import { acceptedBy, fileFault } from "./accepted-file.ts";
import type { FormProps } from "./requirement-item.tsx";
import styles from "./requirements.module.css";
import { useField } from "./use-field.ts";

const LAST_CHARACTERS_OF_DATE = 10;

/** A file with its date. */
export function DocumentForm(props: FormProps) {
  const { requirement } = props;
  const { isBusy, error, save } = useField(props);
  const [file, setFile] = useState<File | null>(null);
  const [date, setDate] = useState("");
  const [share, setShare] = useState(0);
  const accepted = acceptedBy(requirement);
  const fault = file === null ? null : fileFault(file, accepted);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (file === null || fault !== null) return;
    const form = new FormData();
    form.set("document_date", `${date}T00:00:00Z`);
    form.set("file", file);
    setShare(0);
    save(form, { via: uploadWith(setShare) });
  };
  return (
    <form className={styles["form"]} onSubmit={onSubmit}>
      <div className={styles["upload"]}>
        <Field
          label="File"
          hint={`${requirement.description ?? ""} ${accepted.text}`}
          error={fault ?? error}
        >
          {(control) => (
            <input
              {...control}
              type="file"
              accept={accepted.types.join(",")}
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
      {isBusy && (
        <p className={styles["progress"]}>
          <progress aria-label="Upload" value={share} />
          {share < 1 ? `${Math.floor(share * 100)}% sent` : "Sent. It is being stored…"}
        </p>
      )}
      <Button
        type="submit"
        isBusy={isBusy}
        disabled={file === null || fault !== null || date === ""}
      >
        Upload
      </Button>
    </form>
  );
}

/** Sends a form as fetch does, and says how much of it has been sent, from 0 to 1, which fetch does not. */
function uploadWith(onProgress: (share: number) => void): Fetch {
  return (path, { method = "POST", headers, body }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, path);
      new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.addEventListener("progress", ({ loaded, total }) =>
        onProgress(total === 0 ? 0 : loaded / total),
      );
      request.addEventListener("load", () => {
        const { status, responseText } = request;
        const id = request.getResponseHeader("Request-Id");
        const known = id === null ? {} : { "Request-Id": id };
        resolve(new Response(status === 204 ? null : responseText, { status, headers: known }));
      });
      request.addEventListener("error", () => reject(new TypeError("The upload was cut off.")));
      request.send(body instanceof FormData ? body : null);
    });
}
