import { useEffect, useState, type ReactNode } from "react";
import { Problem } from "./http/problem.ts";
import { Button } from "./button.tsx";
import styles from "./states.module.css";

const SKELETON_AFTER_MS = 150;

/** Lines in place of what loads; nothing for the first 150 ms, so that what is fast does not flicker. */
export function Skeleton({ lines = 6 }: { readonly lines?: number }) {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <div role="status" className={styles["skeleton"]}>
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, n) => (
        <span key={n} className={styles["line"]} aria-hidden="true" />
      ))}
    </div>
  );
}

interface EmptyProps {
  /** What there is none of. */
  readonly title: string;
  /** Why, and what comes next. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className={styles["empty"]}>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** What went wrong, with the request id to quote; beside it, never instead of, what was shown before. */
export function Failure({ error, onRetry }: FailureProps) {
  const problem = error instanceof Problem ? error : null;
  return (
    <div role="alert" className={styles["failure"]}>
      <div>
        <h2>{problem?.title ?? "This page failed"}</h2>
        <p>{problem?.message ?? String(error)}</p>
        {problem !== null && problem.faults.length > 0 && (
          <ul>
            {problem.faults.map((fault) => (
              <li key={`${fault.pointer ?? fault.parameter ?? fault.header} ${fault.code}`}>
                {fault.detail}
              </li>
            ))}
          </ul>
        )}
        {problem?.requestId != null && (
          <p className={styles["request"]}>
            Request <code>{problem.requestId}</code>
          </p>
        )}
      </div>
      {onRetry !== undefined && <Button onClick={onRetry}>Retry</Button>}
    </div>
  );
}
