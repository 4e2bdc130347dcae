import type { ButtonHTMLAttributes, ReactNode } from "react";
import styles from "./button.module.css";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` for the one thing that the page is for, `danger` for what cannot be undone. */
  readonly kind?: "primary" | "plain" | "danger" | "quiet";
  /** The key that does the same, shown beside the text. */
  readonly hotkey?: string | undefined;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

export function Button({ kind = "plain", hotkey, isBusy = false, children, ...rest }: ButtonProps) {
  const { className, disabled, type = "button", ...others } = rest;
  return (
    <button
      {...others}
      type={type}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      className={[styles["button"], styles[kind], className].filter(Boolean).join(" ")}
    >
      {children}
      {hotkey !== undefined && (
        <kbd className={styles["hotkey"]} aria-hidden="true">
          {hotkey}
        </kbd>
      )}
    </button>
  );
}
