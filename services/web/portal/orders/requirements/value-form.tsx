import { useState, type SubmitEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field, type ControlProps } from "../../../ui/field.tsx";
import type { Requirement } from "../order-types.ts";
import type { FormProps } from "./requirement-item.tsx";
import styles from "./requirements.module.css";
import { useField } from "./use-field.ts";

/** A text, a date or a choice. */
export function ValueForm(props: FormProps) {
  const { requirement } = props;
  const { isBusy, error, save } = useField(props);
  const [value, setValue] = useState(() => startOf(requirement));
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    save({ field_value: value });
  };
  return (
    <form className={styles["form"]} onSubmit={onSubmit} noValidate>
      <Field label={requirement.name} isLabelHidden hint={hintOf(requirement)} error={error}>
        {(control) => <Control {...{ control, requirement, value, setValue }} />}
      </Field>
      <Button type="submit" isBusy={isBusy} disabled={value.trim() === ""}>
        Save
      </Button>
    </form>
  );
}

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
        autoComplete="off"
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
