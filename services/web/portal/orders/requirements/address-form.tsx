import { useState, type SubmitEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { draftUnder, useDraft } from "../../../ui/use-draft.ts";
import type { Requirement } from "../order-types.ts";
import type { FormProps } from "./requirement-item.tsx";
import styles from "./requirements.module.css";
import { fieldKey, useField } from "./use-field.ts";

const LONGEST_LINE = 120;

const AUTO_COMPLETE: Readonly<Record<keyof Address, string>> = {
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
  const isWithArea = hasArea(requirement);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const body = { field_value: addressText(address, countryOf(requirement)) };
    save(body, { onSaved: () => draft.write("") });
  };
  const part = (name: keyof Address, label: string) => (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          autoComplete={AUTO_COMPLETE[name]}
          required
          pattern=".*\S.*"
          maxLength={LONGEST_LINE}
          value={address[name]}
          onChange={(event) => write({ ...address, [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <form className={styles["address"]} onSubmit={onSubmit}>
      <p className={styles["note"]}>{requirement.description}</p>
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

interface Address {
  readonly street: string;
  readonly locality: string;
  readonly area: string;
  readonly postalCode: string;
}

type Criteria = Pick<Requirement, "acceptance_criteria">;

function countryOf({ acceptance_criteria: criteria = {} }: Criteria): string {
  const { country } = criteria;
  return typeof country === "string" ? country : "";
}

/** Whether addresses of the country name a state or region. */
function hasArea({ acceptance_criteria: criteria = {} }: Criteria): boolean {
  return criteria["administrative_area_pattern"] !== undefined;
}

/** The lines of an address: street, locality, area and postal code, country. */
function addressText(address: Address, country: string): string {
  const { street, locality, area, postalCode } = address;
  const third = [area, postalCode].map((text) => text.trim()).filter((text) => text !== "");
  return [street.trim(), locality.trim(), third.join(" "), country].join("\n");
}

function readAddress(requirement: Criteria & Pick<Requirement, "field_value">): Address {
  const [street = "", locality = "", third = ""] = (requirement.field_value ?? "").split("\n");
  const [first = "", ...others] = third.split(" ");
  return hasArea(requirement)
    ? { street, locality, area: first, postalCode: others.join(" ") }
    : { street, locality, area: "", postalCode: third };
}
