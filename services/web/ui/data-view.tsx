import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure, Skeleton } from "./states.tsx";

interface DataViewProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** What a query gives: lines while it loads, the error with Retry beside the old data, then the data. */
export function DataView<T>({ query, children }: DataViewProps<T>) {
  const { data, error, isPending, refetch } = query;
  return (
    <>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton />}
      {data !== undefined && children(data)}
    </>
  );
}
