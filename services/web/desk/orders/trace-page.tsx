import { Link, useLocation } from "wouter";
import { Button } from "../../ui/button.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { useKeyActions } from "../keys/key-table.ts";
import type { ScreenProps } from "../screens.tsx";
import { numbersTitle } from "./order-words.ts";
import { useOrder, useTrace } from "./queries.ts";
import { groupTrace } from "./trace/group-trace.ts";
import { TraceLine } from "./trace/trace-line.tsx";

/** Where each change of an order went: request, outbox, topic, handler, event, delivery. */
export default function TracePage({ params: { id = "" } }: ScreenProps) {
  const { data: order } = useOrder(id);
  const trace = useTrace(id);
  const [, navigate] = useLocation();
  useKeyActions({ back: () => navigate(`/orders/${id}`) });
  const [first = ""] = order?.phone_numbers ?? [];
  const title = order === undefined ? "" : numbersTitle(first, order.phone_numbers.length);
  return (
    <Page title={`Trace ${title}`} actions={<Link href={`/orders/${id}`}>Back to the order</Link>}>
      <DataView query={trace}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="There are no messages">
              Messages are kept for a limited time; the order’s timeline is kept for ever.
            </Empty>
          ) : (
            groupTrace(entries).map((group) => <TraceLine key={group.id} group={group} />)
          )
        }
      </DataView>
      {trace.hasNextPage && (
        <Button isBusy={trace.isFetchingNextPage} onClick={() => void trace.fetchNextPage()}>
          Show earlier messages
        </Button>
      )}
    </Page>
  );
}
