import { useId } from "react";
import field from "../field.module.css";
import styles from "./zoned-time-field.module.css";
import type { ZonedTime } from "./zoned-time.ts";

interface ZonedTimeFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly error: string | null;
  readonly value: ZonedTime;
  /** The zones to choose from, the likeliest first. */
  readonly zones: readonly string[];
  readonly onChange: (value: ZonedTime) => void;
}

/** A date and a time in a zone that is named: carriers speak in their own. */
export function ZonedTimeField({ label, hint, error, value, ...rest }: ZonedTimeFieldProps) {
  const { zones, onChange } = rest;
  const id = useId();
  const notes = [hint === undefined ? "" : `${id}-hint`, error === null ? "" : `${id}-error`];
  const shared = {
    className: field["control"],
    "aria-describedby": notes.join(" ").trim() || undefined,
    "aria-invalid": error !== null || undefined,
  };
  return (
    <fieldset className={styles["fieldset"]}>
      <legend className={field["label"]}>{label}</legend>
      <div className={styles["controls"]}>
        <input
          {...shared}
          type="date"
          aria-label={`${label}: date`}
          value={value.date}
          onChange={(event) => onChange({ ...value, date: event.target.value })}
        />
        <input
          {...shared}
          type="time"
          aria-label={`${label}: time`}
          value={value.time}
          onChange={(event) => onChange({ ...value, time: event.target.value })}
        />
        <select
          {...shared}
          aria-label={`${label}: time zone`}
          value={value.zone}
          onChange={(event) => onChange({ ...value, zone: event.target.value })}
        >
          {[...new Set([...zones, value.zone])].map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </select>
      </div>
      {hint !== undefined && (
        <p className={field["hint"]} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== null && (
        <p className={field["error"]} id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
