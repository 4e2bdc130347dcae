import { useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState, type SubmitEvent } from "react";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { once, Problem, unansweredOf } from "../../ui/http/request.ts";
import { Card } from "../../ui/page.tsx";
import { isOpen, isWithCustomer, type Requirement } from "../orders/order-words.ts";
import { orderPath } from "../orders/orders.ts";
import { SignaturePad, type Drawing } from "./signature-pad.tsx";
import styles from "./order-form.module.css";
import { DocumentField } from "./document-field.tsx";
import { FieldFrame, type Block } from "./field-frame.tsx";
import * as signing from "./signing.ts";
import { faultWords, useWords } from "../languages/words.ts";
import { Failed } from "./send.tsx";
import type { OrderForm } from "./use-order-form.ts";

interface LetterProps {
  readonly form: OrderForm;
  readonly requirement: Requirement;
  readonly block: Block | undefined;
}

/** The letter of authorization: read it, sign it here, or send one that was signed on paper. */
export function Letter({ form, requirement, block }: LetterProps) {
  const { t, language } = useWords();
  const [replaced, setReplaced] = useState<string | null>(null);
  const { field_value: signed } = requirement;
  const mayChange = isWithCustomer(form.order);
  const isAsked = mayChange && (isOpen(requirement) || replaced === signed);
  return (
    <Card>
      <div className={styles["fields"]}>
        <FieldFrame {...{ requirement, block, mayChange }}>
          <div className={styles["actions"]}>
            <a
              href={orderPath(form.order.id, `/loa?language=${language}`)}
              target="_blank"
              rel="noreferrer"
            >
              {signed === null ? t("letter.read") : t("letter.open")}
            </a>
            {mayChange && !isAsked && (
              <Button kind="quiet" onClick={() => setReplaced(signed)}>
                {t("letter.again")}
              </Button>
            )}
          </div>
          {isAsked && <Signing form={form} />}
          {isAsked && (
            <details className={styles["more"]}>
              <summary>{t("letter.own")}</summary>
              <a
                href={orderPath(form.order.id, `/loa?by_hand=true&language=${language}`)}
                target="_blank"
                rel="noreferrer"
              >
                {t("letter.print")}
              </a>
              <DocumentField {...{ form, requirement }} isShownElsewhere />
              <Button isBusy={form.isSaving} onClick={() => void form.save()}>
                {t("form.save")}
              </Button>
            </details>
          )}
        </FieldFrame>
      </div>
    </Card>
  );
}

/** The typed name signs; a drawn signature is printed in the letter beside it. */
function Signing({ form }: { readonly form: OrderForm }) {
  const { t } = useWords();
  const drawing = useRef<Drawing>(null);
  const { isBusy, sign } = useSigning(form);
  const { name, position } = signing.signingOf(form.order, form.typed);
  const errorAt = (field: string): string | null => {
    const fault = form.faults[field];
    return fault === undefined ? null : faultWords(t, fault);
  };
  const field = (of: string, value: string) => ({
    ...{ value, error: errorAt(of), onChange: (text: string) => form.type(of, text) },
    ...({ autoCapitalize: "words", enterKeyHint: "done", spellCheck: false } as const),
  });
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void sign(drawing.current?.toPng() ?? null);
  };
  return (
    <form className={styles["signing"]} onSubmit={onSubmit} noValidate>
      <TextField
        label={t("letter.name")}
        hint={t("letter.name_hint")}
        autoComplete="name"
        {...field(signing.SIGNER, name)}
      />
      <TextField
        label={t("letter.position")}
        hint={t("letter.position_hint")}
        autoComplete="organization-title"
        {...field(signing.POSITION, position)}
      />
      <SignaturePad ref={drawing} label={t("letter.draw")} clear={t("letter.clear")} />
      <Consent form={form} error={errorAt(signing.CONSENT)} />
      <div>
        <Button type="submit" kind="primary" isBusy={isBusy || form.isSaving}>
          {t("letter.sign")}
        </Button>
      </div>
      <Failed form={form} />
    </form>
  );
}

function Consent({ form, error }: { readonly form: OrderForm; readonly error: string | null }) {
  const { t } = useWords();
  const id = useId();
  return (
    <div>
      <label className={styles["consent"]}>
        <input
          type="checkbox"
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : id}
          checked={signing.hasConsent(form.typed)}
          onChange={(event) => form.type(signing.CONSENT, event.target.checked ? "yes" : "")}
        />
        {t("letter.consent")}
      </label>
      {error !== null && (
        <p id={id} className={styles["refused"]}>
          {error}
        </p>
      )}
    </div>
  );
}

function useSigning(form: OrderForm) {
  const { language } = useWords();
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const { order, typed } = form;
  const sign = async (image: string | null): Promise<void> => {
    // The letter states what is saved, not what is typed.
    if (!(await form.save())) return;
    const early = signing.faultsBefore(order, typed);
    if (Object.keys(early).length > 0) {
      form.mark(early);
      return;
    }
    setIsBusy(true);
    try {
      const body = { ...signing.bodyOf(signing.signingOf(order, typed), image), language };
      const command = { path: orderPath(order.id, "/loa/sign"), body };
      await once(command, unansweredOf(`sign:${order.id}`));
      await client.invalidateQueries({ queryKey: ["orders"] });
      form.forget("letter");
    } catch (error) {
      const found = error instanceof Problem ? signing.faultsOfSigning(error.faults, order) : {};
      if (Object.keys(found).length === 0) form.fail(error);
      else form.mark(found);
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, sign };
}
