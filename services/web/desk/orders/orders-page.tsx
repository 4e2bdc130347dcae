import { Button } from "../../ui/button.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { useRowKeys } from "../../ui/keys/use-row-keys.ts";
import { Page } from "../../ui/page.tsx";
import { Paging } from "../../ui/paging.tsx";
import { Empty } from "../../ui/states.tsx";
import { useUrlFilters } from "../../ui/use-url-filters.ts";
import { browserZone } from "../../ui/zoned/zoned-time.ts";
import { FILTER_NAMES, orderQueryOf } from "./list/list-filters.ts";
import { OrderFilters } from "./list/order-filters.tsx";
import { OrderTable } from "./list/order-table.tsx";
import { useOrders } from "./queries.ts";
import { SearchBox } from "./search/search-box.tsx";

/** All orders of all accounts: found by one box, narrowed by filters. */
export default function OrdersPage() {
  const { filters, change, clear, isFiltered, after } = useUrlFilters(FILTER_NAMES);
  const orders = useOrders(orderQueryOf(filters, after, browserZone()));
  useRowKeys();
  return (
    <Page title="Orders">
      <SearchBox value={filters.q} onSearch={(q) => change({ q }, { replace: true })} />
      <OrderFilters filters={filters} change={change} clear={clear} isFiltered={isFiltered} />
      <DataView query={orders}>
        {({ data, has_more: hasMore }) =>
          data.length === 0 ? (
            <NoOrders isFiltered={isFiltered} q={filters.q} onClear={clear} />
          ) : (
            <>
              <OrderTable orders={data} />
              <Paging last={data.at(-1)?.id} hasMore={hasMore} />
            </>
          )
        }
      </DataView>
    </Page>
  );
}

interface NoOrdersProps {
  readonly isFiltered: boolean;
  readonly q: string;
  readonly onClear: () => void;
}

function NoOrders({ isFiltered, q, onClear }: NoOrdersProps) {
  if (!isFiltered) {
    return (
      <Empty title="There are no orders yet">
        An order appears here as soon as a customer creates it by the API or in the portal.
      </Empty>
    );
  }
  return (
    <Empty
      title={q === "" ? "No order matches these filters" : `Nothing found for “${q}”`}
      action={<Button onClick={onClear}>Clear search and filters</Button>}
    >
      The search takes a number in any form or its last 4 or more digits, a whole reference, the id
      of an order or an account, or a part of an account’s name.
    </Empty>
  );
}
