import {
  useId,
  useState,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
} from "react";
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
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One filter that acts at every key: a part of a name, or a date. */
export function TextFilter({ label, onChange, ...rest }: TextProps) {
  const id = useId();
  return (
    <div className={styles["filter"]}>
      <label htmlFor={id}>{label}</label>
      <input id={id} {...rest} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

interface WholeProps extends Omit<TextProps, "onChange"> {
  /** At Enter, and when the focus leaves; not for the value that it has already. */
  readonly onCommit: (value: string) => void;
}

/** One filter that means something only once it is typed whole, such as a phone number or an id. */
export function WholeFilter({ value, onCommit, ...rest }: WholeProps) {
  const [text, setText] = useState(value);
  const [given, setGiven] = useState(value);
  if (value !== given) {
    setGiven(value);
    setText(value);
  }
  const commit = (): void => {
    if (text.trim() !== value) onCommit(text.trim());
  };
  return (
    <TextFilter
      {...rest}
      value={text}
      onChange={setText}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
      }}
    />
  );
}
