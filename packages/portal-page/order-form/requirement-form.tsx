import { useEffect, useRef, type SubmitEvent } from "react";
import { isEnded } from "../../../services/domain/order/rules/status-facts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { dayText } from "../languages/language.ts";
import { choiceWords, faultWords, useWords } from "../languages/words.ts";
import {
  isWithCustomer,
  LETTER,
  type Order,
  type Readiness,
  type Requirement,
} from "../orders/order-words.ts";
import { useReadiness } from "../orders/orders.ts";
import { AddressFields } from "./address-fields.tsx";
import { changesOf, isPhoneNumber } from "./changes.ts";
import { DocumentField } from "./document-field.tsx";
import { FieldFrame, type Block } from "./field-frame.tsx";
import { Letter } from "./letter.tsx";
import { GivenNumbers, NumberFields } from "./number-fields.tsx";
import { valuesOf } from "./number-values.ts";
import styles from "./order-form.module.css";
import type { Phones } from "./phones.ts";
import { Send } from "./send.tsx";
import { useOrderForm, type OrderForm } from "./use-order-form.ts";
import { ValueField } from "./value-field.tsx";

interface RequirementFormProps {
  readonly order: Order;
  readonly phones: Phones;
}

/** What an order asks for, its letter, and sending it: for the account and for its end users alike. */
export function RequirementForm({ order, phones }: RequirementFormProps) {
  const form = useOrderForm(order);
  const { data: readiness } = useReadiness(order.id);
  const element = useFirstFault(form.wrongs);
  const blocks = new Map(readiness?.blocking.map((block) => [block.slug, block]));
  const letter = order.requirements.find(({ slug }) => slug === LETTER);
  return (
    <div ref={element} className={styles["form"]}>
      <Fields {...{ form, phones, blocks }} />
      {letter !== undefined && (
        <Letter {...{ form, requirement: letter }} block={blocks.get(LETTER)} />
      )}
      {isWithCustomer(order) && <Send {...{ form, readiness }} />}
    </div>
  );
}

/** After each saving that something was wrong with, leads to the first of it. */
function useFirstFault(wrongs: number) {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const first = page.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrongs === 0 || first === null || first === undefined) return;
    const folded = first.closest("details");
    if (folded !== null) folded.open = true;
    first.focus();
  }, [wrongs]);
  return page;
}

/** Once the order has been sent, its button is gone, and the page says how it goes on. */
export function useFocusOnEnd<Text extends HTMLElement>(mayChange: boolean) {
  const text = useRef<Text>(null);
  const couldChange = useRef(mayChange);
  useEffect(() => {
    if (couldChange.current && !mayChange) text.current?.focus();
    couldChange.current = mayChange;
  }, [mayChange]);
  return text;
}

interface FieldsProps {
  readonly form: OrderForm;
  readonly phones: Phones;
  readonly blocks: ReadonlyMap<Readiness["blocking"][number]["slug"], Block>;
}

/** What the order asks for but the letter: mandatory first, the rest folded, and one button that saves it all. */
function Fields({ form, phones, blocks }: FieldsProps) {
  const { t } = useWords();
  const { order } = form;
  const asked = order.requirements.filter(({ slug }) => slug !== LETTER);
  const optional = asked.filter(({ mandatory }) => !mandatory);
  const mayChange = isWithCustomer(order);
  const item = (requirement: Requirement) => (
    <FieldFrame
      key={requirement.slug}
      requirement={requirement}
      mayChange={mayChange}
      block={blocks.get(requirement.slug)}
    >
      {mayChange ? (
        <Asked {...{ form, phones, requirement }} />
      ) : (
        <Given {...{ order, phones, requirement }} />
      )}
    </FieldFrame>
  );
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void form.save();
  };
  return (
    <Card title={t("form.title")}>
      {!mayChange && !isEnded(order) && <p className="muted">{t("form.locked")}</p>}
      <form onSubmit={onSubmit} noValidate>
        <div className={styles["fields"]}>
          {asked.filter(({ mandatory }) => mandatory).map(item)}
        </div>
        {optional.length > 0 && (
          <details className={styles["more"]}>
            <summary>{t("form.optional", { count: optional.length })}</summary>
            <div className={styles["fields"]}>{optional.map(item)}</div>
          </details>
        )}
        {mayChange && <Save form={form} />}
      </form>
    </Card>
  );
}

interface AskedProps {
  readonly form: OrderForm;
  readonly phones: Phones;
  readonly requirement: Requirement;
}

function Asked({ form, phones, requirement }: AskedProps) {
  if (valuesOf(requirement).length > 0) return <NumberFields {...{ form, phones, requirement }} />;
  switch (requirement.field_type) {
    case "document":
      return <DocumentField {...{ form, requirement }} />;
    case "address":
      return <AddressFields {...{ form, requirement }} />;
    case "text":
    case "date":
    case "choice":
      return <ValueField {...{ form, phones, requirement }} />;
  }
}

interface GivenProps {
  readonly order: Order;
  readonly phones: Phones;
  readonly requirement: Requirement;
}

/** What was given, where nothing can be changed. */
function Given({ order, phones, requirement }: GivenProps) {
  const { t, locale } = useWords();
  const { slug, field_type: type, field_value: value } = requirement;
  if (valuesOf(requirement).length > 0) return <GivenNumbers {...{ order, phones, requirement }} />;
  if (value === null) return <span className="muted">{t("form.nothing")}</span>;
  switch (type) {
    case "document":
      return (
        <a href={`/v2/documents/${value}`} target="_blank" rel="noreferrer">
          {t("document.open")}
        </a>
      );
    case "choice":
      return choiceWords(t, slug, value);
    case "date":
      return dayText(locale, value);
    case "text":
    case "address":
      return (
        <span className={styles["value"]}>
          {isPhoneNumber(requirement) ? phones.shown(value, order.country_code) : value}
        </span>
      );
  }
}

/** The one button, and what came of it. */
function Save({ form }: { readonly form: OrderForm }) {
  const { t } = useWords();
  const { order, typed, files, faults, outcome, isSaving } = form;
  const { changes } = changesOf(order.requirements, typed, order.country_code);
  const isUnsaved = changes.length > 0 || Object.keys(files).length > 0;
  const said = (): string => {
    if (isSaving) return t("form.saving");
    if (outcome?.kind === "failed") {
      return t("form.failed", { reason: faultWords(t, outcome.fault) });
    }
    if (outcome?.kind === "wrong") return t("form.wrong", { count: Object.keys(faults).length });
    if (isUnsaved) return t("form.unsaved");
    return outcome === null ? "" : t("form.saved");
  };
  const isBad = !isSaving && outcome !== null && outcome.kind !== "saved";
  return (
    <div className={styles["save"]}>
      <Button type="submit" isBusy={isSaving}>
        {t("form.save")}
      </Button>
      <p role="status" className={isBad ? styles["refused"] : "muted"}>
        {said()}
      </p>
    </div>
  );
}
