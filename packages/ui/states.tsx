import { Component, Suspense, type ReactNode } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { Button } from "./button.tsx";
import { Problem } from "./http/request.ts";
import { ownWords } from "./own-words.ts";
import styles from "./states.module.css";
import { useLoading } from "./use-loading.ts";

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
        {label ?? ownWords().loading}
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
  const words = ownWords();
  const { error, title = words.failed, onRetry, isRetrying = false } = props;
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
            {words.request} <code>{problem.requestId}</code>
          </p>
        )}
      </div>
      {onRetry !== undefined && (
        <Button onClick={onRetry} isBusy={isRetrying}>
          {words.retry}
        </Button>
      )}
    </div>
  );
}

interface DataViewProps<T> {
  readonly query: UseQueryResult<T>;
  /** In the data's place while they load. */
  readonly awaited?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** What a query gives: lines while it loads, the error with Retry beside the old data, then the data. */
export function DataView<T>({ query, awaited = <Skeleton />, children }: DataViewProps<T>) {
  const { data, error, isPending, isFetching, refetch } = query;
  return (
    <>
      {error !== null && (
        <Failure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      )}
      {isPending && awaited}
      {data !== undefined && children(data)}
    </>
  );
}

interface BoundaryProps {
  /** The page's path: another page is tried afresh. */
  readonly path: string;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly error: unknown;
}

const FINE: BoundaryState = { error: null };

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state = FINE;

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error };
  }

  override componentDidUpdate({ path }: BoundaryProps): void {
    if (path !== this.props.path && this.state.error !== null) this.setState(FINE);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Failure error={error} onRetry={() => window.location.reload()} />;
  }
}

/**
 * The place of a page: a skeleton while its code is fetched, and why it failed, where an empty window would be left,
 * because its code may be that of an older version.
 */
export function PagePlace({ children }: { readonly children: ReactNode }) {
  const [path] = useLocation();
  return (
    <Boundary path={path}>
      <Suspense fallback={<Skeleton />}>{children}</Suspense>
    </Boundary>
  );
}
