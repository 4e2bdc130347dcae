import { useState, type SubmitEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field, optionsOf, TextField, type ControlProps } from "../../../ui/field.tsx";
import { draftUnder, useDraft } from "../../../ui/use-draft.ts";
import {
  addressText,
  areasOf,
  countryOf,
  readAddress,
  type Address,
} from "../../end-user/fields/address.ts";
import { isKept, isPhoneNumber, startOf } from "../../end-user/fields/changes.ts";
import type { Requirement } from "../order-words.ts";
import { fieldKey, useField } from "../orders.ts";
import { acceptedBy, acceptedText, e164Of, fileFaultText } from "./given-values.ts";
import type { FormProps } from "./requirement-list.tsx";
import styles from "./requirements.module.css";
import { documentForm, uploadWith } from "./upload.ts";

/** A text, a date or a choice. */
export function ValueForm(props: FormProps) {
  const { order, requirement } = props;
  const { isBusy, error, save } = useField(props);
  const key = fieldKey(order, requirement);
  const draft = useDraft(key);
  const [value, setValue] = useState(() => draftUnder(key) || startOf(requirement));
  const isNumber = isPhoneNumber(requirement);
  const write = (text: string): void => {
    setValue(text);
    if (isKept(requirement.slug)) draft.write(text);
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

/** What a browser may know of the person who types. */
const AUTO_COMPLETE: Readonly<Record<string, string>> = {
  entity_name: "organization",
  auth_person_name: "name",
  postal_code: "postal-code",
  birth_date: "bday",
  billing_phone_number: "tel",
};

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
      {optionsOf(options.map((option) => [option, option]))}
    </select>
  );
}

const LONGEST_LINE = 120;

const PARTS_OF_ADDRESS: Readonly<Record<keyof Address, string>> = {
  street: "address-line1",
  locality: "address-level2",
  area: "address-level1",
  postalCode: "postal-code",
};

/** An address in its parts; the service has it as lines, and judges it as a whole. */
export function AddressForm(props: FormProps) {
  const { order, requirement } = props;
  const { isBusy, error, save } = useField(props);
  const key = fieldKey(order, requirement);
  const draft = useDraft(key);
  const [address, setAddress] = useState<Address>(() => {
    const kept = draftUnder(key);
    return kept === "" ? readAddress(requirement) : (JSON.parse(kept) as Address);
  });
  const write = (next: Address): void => {
    setAddress(next);
    draft.write(JSON.stringify(next));
  };
  const country = countryOf(requirement);
  const isWithArea = areasOf(country).length > 0;
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const body = { field_value: addressText(address, country) };
    save(body, { onSaved: () => draft.write("") });
  };
  const part = (name: keyof Address, label: string) => (
    <TextField
      label={label}
      autoComplete={PARTS_OF_ADDRESS[name]}
      required
      pattern=".*\S.*"
      maxLength={LONGEST_LINE}
      value={address[name]}
      onChange={(text) => write({ ...address, [name]: text })}
    />
  );
  return (
    <form className={styles["address"]} onSubmit={onSubmit}>
      <p className="muted">{requirement.description}</p>
      {part("street", "Street and number")}
      <div className={styles["parts"]}>
        {part("locality", "City")}
        {isWithArea && part("area", "State or region")}
        {part("postalCode", "Postal code")}
      </div>
      {error !== null && (
        <p role="alert" className={styles["wrong"]}>
          {error}
        </p>
      )}
      <div>
        <Button type="submit" isBusy={isBusy}>
          Save
        </Button>
      </div>
    </form>
  );
}

const LAST_CHARACTERS_OF_DATE = 10;

/** A file with its date. */
export function DocumentForm(props: FormProps) {
  const { requirement } = props;
  const { isBusy, error, save } = useField(props);
  const [file, setFile] = useState<File | null>(null);
  const [date, setDate] = useState("");
  const [share, setShare] = useState(0);
  const accepted = acceptedBy(requirement);
  const fault = file === null ? null : fileFaultText(file, accepted);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (file === null || fault !== null) return;
    setShare(0);
    const via = uploadWith(({ sent, all }) => setShare(all === 0 ? 0 : sent / all));
    save(documentForm(file, date), { via });
  };
  return (
    <form className={styles["form"]} onSubmit={onSubmit}>
      <div className={styles["upload"]}>
        <Field
          label="File"
          hint={`${requirement.description ?? ""} ${acceptedText(accepted)}`}
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
        <TextField
          label="Document date"
          type="date"
          required
          max={new Date().toISOString().slice(0, LAST_CHARACTERS_OF_DATE)}
          value={date}
          onChange={setDate}
        />
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
