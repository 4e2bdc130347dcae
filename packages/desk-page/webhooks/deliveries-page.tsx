import { useCountedList } from "../../ui/http/read.ts";
import { useRowKeys } from "../../ui/keys.ts";
import { FilterChip, ListSummary, ListView, useUrlFilters, WholeFilter } from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { deliveryColumns, DeliveryFilters, useRetries } from "../../ui/webhooks/delivery-list.tsx";
import { DELIVERY_FILTERS, withInstants } from "../../ui/webhooks/webhook-side.ts";
import { AccountFilter } from "../accounts/account-filter.tsx";
import { useMay } from "../session.ts";
import { SavedViews } from "../views/saved-views.tsx";
import { DESK, type Delivery } from "./webhooks.ts";

const COLUMNS = deliveryColumns<Delivery>(({ account }) => account.name);

/** Webhooks of all accounts, newest first. */
export default function DeliveriesPage() {
  const url = useUrlFilters([...DELIVERY_FILTERS, "account_id", "event_id"]);
  const { filters, of, change } = url;
  const query = { ...withInstants(filters), ...url.page };
  const list = useCountedList<Delivery>("deliveries", DESK.deliveries, query);
  const retries = useRetries(list.page.data?.data ?? [], DESK);
  const mayRetry = useMay("lead");
  useRowKeys();
  return (
    <Page title="Deliveries">
      <SavedViews screen="deliveries" />
      <DeliveryFilters url={url}>
        <AccountFilter {...of("account_id")} />
        <WholeFilter label="Endpoint id" {...of("webhook_endpoint_id")} />
        {filters.event_id !== "" && (
          <FilterChip label="One event: show all events" onRemove={() => change({ event_id: "" })}>
            One event
          </FilterChip>
        )}
      </DeliveryFilters>
      <ListView
        query={list.page}
        summary={
          <ListSummary list={list} one="delivery" many="deliveries">
            {retries.bar}
          </ListSummary>
        }
        selecting={mayRetry ? retries.selecting : undefined}
        sorting={url.sorting}
        caption="Deliveries"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty title={url.isFiltered ? "No delivery matches" : "No deliveries yet"}>
            A webhook is made for each event that an endpoint, or an order’s own URL, is told of.
          </Empty>
        }
      />
      {retries.dialog}
    </Page>
  );
}
