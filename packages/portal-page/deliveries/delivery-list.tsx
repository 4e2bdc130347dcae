import type { ReactNode } from "react";
import { ListSummary, ListView, type useUrlFilters } from "../../ui/list.tsx";
import { deliveryColumns, useRetries } from "../../ui/webhooks/delivery-list.tsx";
import { PORTAL, type useDeliveries } from "./deliveries.ts";

const COLUMNS = deliveryColumns();

interface DeliveryListProps {
  readonly query: ReturnType<typeof useDeliveries>;
  readonly sorting?: ReturnType<typeof useUrlFilters>["sorting"];
  readonly empty: ReactNode;
}

/** Deliveries of the account, of which any that are selected are retried. */
export function DeliveryList({ query, sorting, empty }: DeliveryListProps) {
  const retries = useRetries(query.data?.data ?? [], PORTAL);
  return (
    <>
      <ListView
        query={query}
        summary={<ListSummary one="delivery">{retries.bar}</ListSummary>}
        selecting={retries.selecting}
        {...(sorting === undefined ? {} : { sorting })}
        caption="Deliveries"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={empty}
      />
      {retries.dialog}
    </>
  );
}
