import { useId } from "react";
import { NUMBER_WORDS } from "../order-words.ts";
import styles from "./carrier-update.module.css";
import type { UpdateFieldsProps } from "./update-fields.tsx";

/** Which numbers the update is about: all that are not settled, or some. */
export function NumberPicker({ draft, order, change, errorAt }: UpdateFieldsProps) {
  const id = useId();
  const error = errorAt("#/phone_numbers");
  const { numbers } = draft;
  if (order.numbers.length === 1) return null;
  const toggle = (number: string, isOn: boolean): void =>
    change({
      numbers: isOn
        ? [...(numbers ?? []), number]
        : (numbers ?? []).filter((one) => one !== number),
    });
  return (
    <fieldset className={styles["picker"]} aria-describedby={error === null ? undefined : id}>
      <legend>Numbers</legend>
      <label>
        <input type="radio" checked={numbers === null} onChange={() => change({ numbers: null })} />
        All that are not active, failed or cancelled
      </label>
      <label>
        <input
          type="radio"
          checked={numbers !== null}
          onChange={() => change({ numbers: numbers ?? [] })}
        />
        Only these
      </label>
      {numbers !== null && (
        <div className={styles["numbers"]}>
          {order.numbers.map(({ phone_number: number, status }) => (
            <label key={number}>
              <input
                type="checkbox"
                checked={numbers.includes(number)}
                onChange={(event) => toggle(number, event.target.checked)}
              />
              {number}
              <span>{NUMBER_WORDS[status].name.toLowerCase()}</span>
            </label>
          ))}
        </div>
      )}
      {error !== null && (
        <p id={id} className={styles["error"]}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
