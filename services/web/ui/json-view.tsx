import styles from "./json-view.module.css";

interface JsonViewProps {
  readonly label: string;
  readonly value: unknown;
}

/** A decoded value, indented. */
export function JsonView({ label, value }: JsonViewProps) {
  return (
    <pre className={styles["json"]} role="region" aria-label={label} tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
