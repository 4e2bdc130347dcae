import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure, Skeleton } from "./states.tsx";

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
