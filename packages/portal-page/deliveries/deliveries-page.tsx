import { ChoiceFilter, useUrlFilters } from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { DeliveryFilters } from "../../ui/webhooks/delivery-list.tsx";
import { DELIVERY_FILTERS, withInstants } from "../../ui/webhooks/webhook-side.ts";
import { useEndpoints } from "../endpoints/endpoints.ts";
import { useDeliveries } from "./deliveries.ts";
import { DeliveryList } from "./delivery-list.tsx";

export default function DeliveriesPage() {
  const url = useUrlFilters(DELIVERY_FILTERS);
  const query = useDeliveries({ ...withInstants(url.filters), ...url.page });
  const endpoints = useEndpoints().data?.data ?? [];
  return (
    <Page title="Deliveries">
      <DeliveryFilters url={url}>
        <ChoiceFilter
          label="Endpoint"
          any="Any"
          options={endpoints.map((endpoint) => [endpoint.id, endpoint.url] as const)}
          {...url.of("webhook_endpoint_id")}
        />
      </DeliveryFilters>
      <DeliveryList
        query={query}
        sorting={url.sorting}
        empty={
          <Empty title="No deliveries here">
            A delivery is made when something happens and an endpoint wants to know. If you filter,
            another filter may show some.
          </Empty>
        }
      />
    </Page>
  );
}
