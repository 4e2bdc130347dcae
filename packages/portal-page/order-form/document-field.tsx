import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { isOpen, type Requirement } from "../orders/order-words.ts";
import { acceptedBy } from "./given-values.ts";
import styles from "./order-form.module.css";
import { listText, sizeText } from "../languages/language.ts";
import { faultWords, fieldWords, useWords } from "../languages/words.ts";
import type { OrderForm } from "./use-order-form.ts";
import { dateOf, isDated, today } from "./documents.ts";

interface DocumentFieldProps {
  readonly form: OrderForm;
  readonly requirement: Requirement;
  /** What is saved of it is shown elsewhere. */
  readonly isShownElsewhere?: boolean;
}

/** A file with its date, or what was sent and a way to send another. */
export function DocumentField(props: DocumentFieldProps) {
  const { form, requirement, isShownElsewhere = false } = props;
  const { t } = useWords();
  const [replaced, setReplaced] = useState<string | null>(null);
  const { slug, field_value: id } = requirement;
  const isAsked = isOpen(requirement) || replaced === id || form.files[slug] !== undefined;
  if (isShownElsewhere || isAsked) return <Asked {...{ form, requirement }} />;
  return (
    <div className={styles["actions"]}>
      <a href={`/v2/documents/${id}`} target="_blank" rel="noreferrer">
        {t("document.open")}
      </a>
      <Button
        kind="quiet"
        onClick={() => setReplaced(id)}
        aria-label={`${t("document.replace")}: ${fieldWords(t, requirement).name}`}
      >
        {t("document.replace")}
      </Button>
    </div>
  );
}

function Asked({ form, requirement }: Pick<DocumentFieldProps, "form" | "requirement">) {
  const { t, locale } = useWords();
  const { slug } = requirement;
  const accepted = acceptedBy(requirement);
  const kinds = listText(locale, accepted.kinds, "or");
  const size = sizeText(locale, accepted.maxBytes ?? 0, "floor");
  const days = accepted.maxAgeDays;
  const age = days === null ? "" : ` ${t("document.age", { days })}`;
  const [fault, dateFault] = [form.faults[slug], form.faults[`${slug}/date`]];
  const isChosen = form.files[slug] !== undefined;
  return (
    <div className={styles["parts"]}>
      <Field
        label={t("document.file")}
        hint={`${t("document.accepted", { kinds, size })}${age}`}
        error={fault === undefined ? null : faultWords(t, fault, { kinds, size })}
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept={accepted.types.join(",")}
            onChange={(event) => form.choose(slug, event.target.files?.[0] ?? null)}
          />
        )}
      </Field>
      {isDated(requirement) && (
        <Field
          label={t("document.date")}
          error={dateFault === undefined ? null : faultWords(t, dateFault)}
        >
          {(control) => (
            <input
              {...control}
              type="date"
              max={today()}
              value={dateOf(form.typed, requirement)}
              onChange={(event) => form.type(`${slug}/date`, event.target.value)}
            />
          )}
        </Field>
      )}
      <Upload {...{ form, slug, isChosen }} />
    </div>
  );
}

interface UploadProps {
  readonly form: OrderForm;
  readonly slug: string;
  readonly isChosen: boolean;
}

/** How much of the file has been sent. */
function Upload({ form: { upload, files }, slug, isChosen }: UploadProps) {
  const { t, locale } = useWords();
  if (upload?.slug !== slug) {
    return isChosen ? <p className={styles["progress"]}>{t("document.ready")}</p> : null;
  }
  const { sent, all } = upload;
  const name = files[slug]?.name ?? "";
  const sizes = { sent: sizeText(locale, sent), all: sizeText(locale, all) };
  return (
    <p className={styles["progress"]}>
      <progress aria-label={t("document.upload", { name })} value={sent} max={Math.max(all, 1)} />
      {sent < all ? t("document.progress", sizes) : t("document.stored")}
    </p>
  );
}
