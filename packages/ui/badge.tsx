import type { ReactNode } from "react";
import styles from "./badge.module.css";

export type Tone = "neutral" | "info" | "good" | "warning" | "bad";

const MARKS: Readonly<Record<Tone, string>> = {
  neutral: "○",
  info: "●",
  good: "✓",
  warning: "!",
  bad: "✕",
};

/** A state in a word, with a mark, so that nothing is said by colour alone. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`${styles["badge"]} ${styles[tone]}`}>
      <span aria-hidden="true">{MARKS[tone]}</span>
      <span className={styles["word"]}>{children}</span>
    </span>
  );
}
