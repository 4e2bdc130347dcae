import { useState, type SubmitEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field, type ControlProps } from "../../../ui/field.tsx";
import { draftUnder, useDraft } from "../../../ui/use-draft.ts";
import type { Requirement } from "../order-types.ts";
import type { FormProps } from "./requirement-item.tsx";
import styles from "./requirements.module.css";
import { e164Of } from "./phone-number.ts";
import { fieldKey, useField } from "./use-field.ts";

/** A text, a date or a choice. */
export function ValueForm(props: FormProps) {
  const { order, requirement } = props;
  const { isBusy, error, save } = useField(props);
  const key = fieldKey(order, requirement);
  const draft = useDraft(key);
  const [value, setValue] = useState(() => draftUnder(key) || startOf(requirement));
  const isNumber = requirement.acceptance_criteria?.["format"] === "E.164";
  const write = (text: string): void => {
    setValue(text);
    if (!NOT_KEPT.has(requirement.slug)) draft.write(text);
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const body = { field_value: isNumber ? e164Of(value, order.country_code) : value };
    save(body, { onSaved: () => draft.write("") });
  };
  return (
    <form className={styles["form"]} onSubmit={onSubmit} noValidate>
      <Field label={requirement.name} isLabelHidden hint={hintOf(requirement)} error={error}>
        {(control) => <Control {...{ control, requirement, value }} setValue={write} />}
      </Field>
      <Button type="submit" isBusy={isBusy} disabled={value.trim() === ""}>
        Save
      </Button>
    </form>
  );
}

/** A secret is not left in the browser. */
const NOT_KEPT: ReadonlySet<string> = new Set(["pin_passcode"]);

/** What a browser may know of the person who types. */
const AUTO_COMPLETE: Readonly<Record<string, string>> = {
  entity_name: "organization",
  auth_person_name: "name",
  postal_code: "postal-code",
  birth_date: "bday",
  billing_phone_number: "tel",
};

/** A masked value is not what would be sent, so it is written again as a whole. */
function startOf({ field_value: value }: Requirement): string {
  return value === null || value.includes("*") ? "" : value;
}

function hintOf({ field_type: type, example, description = "" }: Requirement): string {
  const isShown = type === "text" && example !== undefined;
  return isShown ? `${description} For example ${example}.` : description;
}

interface ControlOptions {
  readonly control: ControlProps;
  readonly requirement: Requirement;
  readonly value: string;
  readonly setValue: (value: string) => void;
}

function Control({ control, requirement, value, setValue }: ControlOptions) {
  const { field_type: type, acceptance_criteria: criteria = {} } = requirement;
  if (type !== "choice") {
    return (
      <input
        {...control}
        type={type === "date" ? "date" : "text"}
        autoComplete={AUTO_COMPLETE[requirement.slug] ?? "off"}
        spellCheck={false}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
    );
  }
  const options = Array.isArray(criteria["options"]) ? criteria["options"].map(String) : [];
  return (
    <select {...control} value={value} onChange={(event) => setValue(event.target.value)}>
      <option value="">Choose…</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}
