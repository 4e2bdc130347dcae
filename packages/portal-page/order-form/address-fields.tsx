import { Field, optionsOf } from "../../ui/field.tsx";
import { faultWords, useWords } from "../languages/words.ts";
import styles from "./order-form.module.css";
import { areasOf, countryOf, partsOf } from "./address.ts";
import { shownAddress } from "./changes.ts";
import { attributesOfPart } from "./input-attributes.ts";
import type { FieldProps } from "./value-field.tsx";

const LONGEST_LINE = 120;

/** An address in its parts, in the order and by the names of its country. */
export function AddressFields({ form, requirement }: Omit<FieldProps, "phones">) {
  const { t } = useWords();
  const { slug, mandatory } = requirement;
  const country = countryOf(requirement);
  const address = shownAddress(requirement, form.typed);
  const areas = areasOf(country);
  return (
    <div className={styles["parts"]}>
      {partsOf(country).map(({ part, label }) => {
        const name = `${slug}/${part}`;
        const fault = form.faults[name];
        const { autoComplete, ...attributes } = attributesOfPart(part, country);
        const shared = {
          autoComplete: slug === "billing_address" ? `billing ${autoComplete}` : autoComplete,
          "aria-required": mandatory,
          value: address[part],
          onChange: ({ target }: { target: { value: string } }) => form.type(name, target.value),
        };
        return (
          <div key={part} className={part === "street" ? styles["whole"] : undefined}>
            <Field
              label={t(`address.${label}`)}
              error={fault === undefined ? null : faultWords(t, fault)}
            >
              {(control) =>
                part === "area" ? (
                  <select {...control} {...shared}>
                    <option value="">{t("form.choose")}</option>
                    {optionsOf(areas)}
                  </select>
                ) : (
                  <input {...control} {...attributes} {...shared} maxLength={LONGEST_LINE} />
                )
              }
            </Field>
          </div>
        );
      })}
    </div>
  );
}
