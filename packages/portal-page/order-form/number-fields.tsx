import type { ClipboardEvent } from "react";
import { TextField } from "../../ui/field.tsx";
import { faultWords, useWords } from "../languages/words.ts";
import type { Order, Requirement } from "../orders/order-words.ts";
import { isMasked, startOf } from "./changes.ts";
import { attributesOf } from "./input-attributes.ts";
import { nameOfNumber, pastedValues, valuesOf, type NumberValue } from "./number-values.ts";
import styles from "./order-form.module.css";
import type { Phones } from "./phones.ts";
import type { FieldProps } from "./value-field.tsx";

/** One field for each number. A list that is pasted into one of them fills the others too. */
export function NumberFields({ form, requirement, phones }: FieldProps) {
  const { t } = useWords();
  const { slug, mandatory } = requirement;
  const { country_code: country } = form.order;
  const values = valuesOf(requirement);
  const numbers = values.map(({ phone_number: number }) => number);
  const onPaste = (event: ClipboardEvent, from: string): void => {
    const given = pastedValues(event.clipboardData.getData("text"), numbers, { from, country });
    if (given === null) return;
    event.preventDefault();
    for (const [number, text] of given) form.type(nameOfNumber(slug, number), text);
  };
  const field = (value: NumberValue) => {
    const { phone_number: number, example = "" } = value;
    const name = nameOfNumber(slug, number);
    const fault = form.faults[name];
    return (
      <TextField
        key={number}
        label={phones.shown(number, country)}
        hint={hintOf(value, t)}
        error={fault === undefined ? null : faultWords(t, fault, { example })}
        {...attributesOf(slug, country)}
        aria-required={mandatory}
        value={form.typed[name] ?? startOf(value)}
        onChange={(text) => form.type(name, text)}
        onPaste={(event) => onPaste(event, number)}
      />
    );
  };
  return (
    <>
      <p className="muted">{t("form.paste")}</p>
      <div className={styles["parts"]}>{values.map(field)}</div>
    </>
  );
}

type Say = ReturnType<typeof useWords>["t"];

function hintOf(value: NumberValue, t: Say): string | undefined {
  const { status, exception_reason: reason, field_value: kept } = value;
  if (status === "requirement-info-exception") return reason ?? undefined;
  return isMasked(value) ? t("form.kept", { value: kept ?? "" }) : undefined;
}

interface GivenNumbersProps {
  readonly order: Order;
  readonly phones: Phones;
  readonly requirement: Requirement;
}

/** What was given for each number, where nothing can be changed. */
export function GivenNumbers({ order, phones, requirement }: GivenNumbersProps) {
  const { t } = useWords();
  return (
    <ul>
      {valuesOf(requirement).map(({ phone_number: number, field_value: value }) => (
        <li key={number}>
          {phones.shown(number, order.country_code)}: {value ?? t("form.nothing")}
        </li>
      ))}
    </ul>
  );
}
