import { useState, type SubmitEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { addressText, countryOf, hasArea, readAddress, type Address } from "./address.ts";
import type { FormProps } from "./requirement-item.tsx";
import styles from "./requirements.module.css";
import { useField } from "./use-field.ts";

/** An address in its parts; the service has it as lines, and judges it as a whole. */
export function AddressForm(props: FormProps) {
  const { requirement } = props;
  const { isBusy, error, save } = useField(props);
  const [address, setAddress] = useState(() => readAddress(requirement));
  const isWithArea = hasArea(requirement);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    save({ field_value: addressText(address, countryOf(requirement)) });
  };
  const part = (name: keyof Address, label: string) => (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          autoComplete="off"
          required
          value={address[name]}
          onChange={(event) => setAddress({ ...address, [name]: event.target.value })}
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
