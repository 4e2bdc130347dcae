import { useState, type SubmitEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { draftUnder, useDraft } from "../../../ui/use-draft.ts";
import { addressText, countryOf, hasArea, readAddress, type Address } from "./address.ts";
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
