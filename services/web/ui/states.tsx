import type { ReactNode } from "react";
import { Problem } from "./http/problem.ts";
import { Button } from "./button.tsx";
import { useLoading } from "./use-loading.ts";
import styles from "./states.module.css";

interface SkeletonProps {
  readonly lines?: number;
  /** What is awaited, shown where the place does not tell. */
  readonly label?: string;
}

/** Lines in place of what loads, while the page says that it loads; only that is read out, once for all places. */
export function Skeleton({ lines = 6, label }: SkeletonProps) {
  const isShown = useLoading(true);
  if (!isShown) return <div aria-busy="true" />;
  return (
    <div aria-busy="true" className={styles["skeleton"]}>
      <p className={label === undefined ? "visually-hidden" : styles["label"]}>
        {label ?? "Loading…"}
      </p>
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
  /** What failed, where the service does not say it; the page unless given. */
  readonly title?: string;
  readonly onRetry?: () => void;
  readonly isRetrying?: boolean;
}

/** What went wrong, with the request id to quote; beside it, never instead of, what was shown before. */
export function Failure(props: FailureProps) {
  const { error, title = "This page failed", onRetry, isRetrying = false } = props;
  const problem = error instanceof Problem ? error : null;
  return (
    <div role="alert" className={styles["failure"]}>
      <div>
        <h2>{problem?.title ?? title}</h2>
        <p>{error instanceof Error ? error.message : String(error)}</p>
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
      {onRetry !== undefined && (
        <Button onClick={onRetry} isBusy={isRetrying}>
          Retry
        </Button>
      )}
    </div>
  );
}
