import styles from "./list.module.css";
import { useToasts } from "./toasts.tsx";

interface CopyProps {
  readonly value: string;
  /** What it is, as in `Copy the order’s id`. */
  readonly what: string;
}

/** Copies what is too long to be typed again. */
export function CopyButton({ value, what }: CopyProps) {
  const toasts = useToasts();
  const copy = (): void => {
    // Browsers have no clipboard for pages without TLS, except on this machine.
    const copying = (navigator.clipboard as Clipboard | undefined)?.writeText(value);
    if (copying === undefined) toasts.notDone("Nothing was copied", `Select it here: ${value}`);
    else copying.then(() => toasts.replaced("copied", "Copied", value), toasts.failed);
  };
  const label = `Copy ${what}`;
  return (
    <button
      type="button"
      className={styles["copy"]}
      aria-label={`${label} ${value}`}
      title={label}
      onClick={copy}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d="M5.5 5.5h8v8h-8z M10.5 5.5v-3h-8v8h3" fill="none" stroke="currentColor" />
      </svg>
    </button>
  );
}

/** An id with its button. */
export function CopiedId({ value, what }: CopyProps) {
  return (
    <>
      <code>{value}</code> <CopyButton value={value} what={what} />
    </>
  );
}
