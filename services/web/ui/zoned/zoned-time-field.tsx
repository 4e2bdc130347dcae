import { useId } from "react";
import field from "../field.module.css";
import styles from "./zoned-time-field.module.css";
import type { ZonedTime } from "./zoned-time.ts";
import { namedToday } from "./zones.ts";

interface ZonedTimeFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly error: string | null;
  readonly value: ZonedTime;
  /** The likely zones, the likeliest first; the others stand below them. */
  readonly zones: readonly string[];
  readonly onChange: (value: ZonedTime) => void;
}

const ALL_ZONES = namedToday(Intl.supportedValuesOf("timeZone"));

/** A date and a time in a zone that is named: carriers speak in their own. */
export function ZonedTimeField({ label, hint, error, value, ...rest }: ZonedTimeFieldProps) {
  const { zones, onChange } = rest;
  const id = useId();
  const likely = [...new Set([...zones, value.zone])];
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
          {likely.map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
          <optgroup label="All time zones">
            {ALL_ZONES.filter((zone) => !likely.includes(zone)).map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </optgroup>
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
