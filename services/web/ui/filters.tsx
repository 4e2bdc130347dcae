import { useId, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes } from "react";
import { Button } from "./button.tsx";
import styles from "./filters.module.css";

interface FiltersProps {
  readonly label: string;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** A row of filters above a list. */
export function Filters({ label, isFiltered, onClear, children }: FiltersProps) {
  return (
    <div role="search" aria-label={label} className={styles["filters"]}>
      {children}
      {isFiltered && (
        <Button kind="quiet" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

interface ChoiceProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange"> {
  readonly label: string;
  readonly onChange: (value: string) => void;
}

/** One filter with a list of values. */
export function ChoiceFilter({ label, onChange, children, ...rest }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles["filter"]}>
      <label htmlFor={id}>{label}</label>
      <select id={id} {...rest} onChange={(event) => onChange(event.target.value)}>
        {children}
      </select>
    </div>
  );
}

interface TextProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  readonly label: string;
  /** At every key, for what is chosen rather than typed. */
  readonly onChange?: (value: string) => void;
  /** Once it is typed: at Enter, and when the focus leaves. */
  readonly onCommit?: (value: string) => void;
}

/** One filter that is typed, a date or a number for example. */
export function TextFilter({ label, onChange, onCommit, ...rest }: TextProps) {
  const id = useId();
  return (
    <div className={styles["filter"]}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        {...rest}
        onChange={(event) => onChange?.(event.target.value)}
        onBlur={(event) => {
          if (event.target.value !== rest.defaultValue) onCommit?.(event.target.value.trim());
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") onCommit?.(event.currentTarget.value.trim());
        }}
      />
    </div>
  );
}
