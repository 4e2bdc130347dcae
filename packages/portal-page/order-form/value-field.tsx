import { Field, optionsOf, type ControlProps } from "../../ui/field.tsx";
import type { Requirement } from "../orders/order-words.ts";
import { choiceWords, faultWords, fieldWords, useWords } from "../languages/words.ts";
import type { OrderForm } from "./use-order-form.ts";
import { isMasked, isPhoneNumber, startOf } from "./changes.ts";
import { attributesOf } from "./input-attributes.ts";
import { groupedAfter, type Phones } from "./phones.ts";

export interface FieldProps {
  readonly form: OrderForm;
  readonly requirement: Requirement;
  readonly phones: Phones;
}

/** A text, a date or a choice. */
export function ValueField(props: FieldProps) {
  const { form, requirement } = props;
  const { t } = useWords();
  const { slug } = requirement;
  const fault = form.faults[slug];
  const example = exampleOf(props);
  const kept = isMasked(requirement) ? (requirement.field_value ?? "") : null;
  const notes = [
    ...(kept === null ? [] : [t("form.kept", { value: kept })]),
    ...(example === "" ? [] : [t("form.example", { example })]),
  ];
  return (
    <Field
      label={fieldWords(t, requirement).name}
      isLabelHidden
      hint={notes.length === 0 ? undefined : notes.join(" ")}
      error={fault === undefined ? null : faultWords(t, fault, { example })}
    >
      {(control) =>
        requirement.field_type === "choice" ? (
          <Choice control={control} {...props} />
        ) : (
          <Input control={control} {...props} />
        )
      }
    </Field>
  );
}

function exampleOf({ form, requirement, phones }: FieldProps): string {
  const { field_type: type, example = "" } = requirement;
  if (type !== "text") return "";
  return isPhoneNumber(requirement) ? phones.shown(example, form.order.country_code) : example;
}

type WithControl = FieldProps & { readonly control: ControlProps };

function Input({ control, form, requirement, phones }: WithControl) {
  const { slug, mandatory } = requirement;
  const country = form.order.country_code;
  const isPhone = isPhoneNumber(requirement);
  const saved = startOf(requirement);
  const value = form.typed[slug] ?? (isPhone ? phones.shown(saved, country) : saved);
  const onChange = ({ target }: { target: HTMLInputElement }): void => {
    const isAtEnd = target.selectionStart === target.value.length;
    const change = { before: value, text: target.value, isAtEnd };
    form.type(slug, isPhone ? groupedAfter(phones, change, country) : target.value);
  };
  return (
    <input
      {...control}
      {...attributesOf(slug, country)}
      aria-required={mandatory}
      value={value}
      onChange={onChange}
    />
  );
}

function Choice({ control, form, requirement }: WithControl) {
  const { t } = useWords();
  const { slug, mandatory, acceptance_criteria: criteria = {} } = requirement;
  const options = Array.isArray(criteria["options"]) ? criteria["options"].map(String) : [];
  return (
    <select
      {...control}
      aria-required={mandatory}
      value={form.typed[slug] ?? startOf(requirement)}
      onChange={(event) => form.type(slug, event.target.value)}
    >
      <option value="">{t("form.choose")}</option>
      {optionsOf(options.map((option) => [option, choiceWords(t, slug, option)]))}
    </select>
  );
}
