import { useId, type ReactNode } from "react";
import { Link } from "wouter";
import { ATTEMPT_ERRORS } from "../../../services/domain/webhook/rules/delivery.ts";
import { RETRIABLE_STATUSES } from "../../../services/domain/webhook/rules/delivery-transitions.ts";
import { Badge } from "../badge.tsx";
import { BulkBar, useBulk } from "../bulk.tsx";
import { Button } from "../button.tsx";
import { ROW_LINK } from "../keys.ts";
import {
  ChoiceFilter,
  Filters,
  TextFilter,
  WholeFilter,
  type Column,
  type useUrlFilters,
} from "../list.tsx";
import { useSelection } from "../selection.tsx";
import { Time } from "../time.tsx";
import { EventName } from "./event-name.tsx";
import { TYPE_OPTIONS } from "./event-types.ts";
import { retryPath, type DELIVERY_FILTERS, type WebhookSide } from "./webhook-side.ts";
import { DELIVERY_WORDS, lastOutcome, type Delivery } from "./webhook-words.ts";
import styles from "./webhooks.module.css";

const STATUSES = Object.entries(DELIVERY_WORDS).map(([status, [text]]) => [status, text] as const);
const USUAL_CODES = ["400", "401", "403", "404", "429", "500", "502", "503", "504"];

interface DeliveryFiltersProps {
  readonly url: Pick<
    ReturnType<typeof useUrlFilters<(typeof DELIVERY_FILTERS)[number]>>,
    "of" | "isFiltered" | "clear"
  >;
  /** Filters of one side alone. */
  readonly children: ReactNode;
}

export function DeliveryFilters({ url, children }: DeliveryFiltersProps) {
  const codes = useId();
  const { of } = url;
  return (
    <Filters label="Filter deliveries" url={url}>
      <ChoiceFilter label="Status" any="Any" options={STATUSES} {...of("status")} />
      <WholeFilter
        label="Failed with"
        placeholder="503"
        list={codes}
        autoComplete="off"
        {...of("failure_code")}
      />
      <datalist id={codes}>
        {[...USUAL_CODES, ...Object.keys(ATTEMPT_ERRORS)].map((code) => (
          <option key={code} value={code} />
        ))}
      </datalist>
      <ChoiceFilter label="Event" any="Any" options={TYPE_OPTIONS} {...of("event_type")} />
      {children}
      <WholeFilter label="Order id" {...of("porting_order_id")} />
      <TextFilter label="From" type="date" {...of("created_after")} />
      <TextFilter label="Before" type="date" {...of("created_before")} />
    </Filters>
  );
}

export function DeliveryStatus({ status }: Pick<Delivery, "status">) {
  const [text, tone] = DELIVERY_WORDS[status];
  return <Badge tone={tone}>{text}</Badge>;
}

/** Under each event, what one side alone knows of its delivery: whose it is. */
export function deliveryColumns<D extends Delivery>(
  whose?: (delivery: D) => string,
): readonly Column<D>[] {
  return [
    {
      title: "Event",
      cell: (delivery) => (
        <>
          <Link {...ROW_LINK} href={`/deliveries/${delivery.id}`} className={styles["event"] ?? ""}>
            <EventName type={delivery.event_type} />
          </Link>
          {whose !== undefined && <span className="under">{whose(delivery)}</span>}
          <span className={styles["below"]}>
            <Time at={delivery.created_at} /> <span className="as-written">{delivery.url}</span>
          </span>
        </>
      ),
      copies: ["the delivery’s id", ({ id }) => id],
    },
    ...COLUMNS,
  ];
}

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: "Status",
    cell: (delivery) => (
      <>
        <DeliveryStatus status={delivery.status} />
        <span className="under as-written">{lastOutcome(delivery)}</span>
      </>
    ),
  },
  { title: "Attempts", cell: ({ attempt_count: count }) => count, align: "right", isMinor: true },
  { title: "To", cell: ({ url }) => <span className="as-written">{url}</span>, isMinor: true },
  {
    title: "Created",
    sort: "created_at",
    cell: ({ created_at: at }) => <Time at={at} />,
    isMinor: true,
  },
];

const nameOf = ({ event_type: type, url }: Delivery): string => `${type} to ${url}`;

const isRetriable = ({ status }: Delivery): boolean => RETRIABLE_STATUSES.includes(status);

/** Retrying those that are selected, one after the other; only what has failed or was skipped can be. */
export function useRetries(rows: readonly Delivery[], side: WebhookSide) {
  const selection = useSelection(rows.filter(isRetriable).map(({ id }) => id));
  const names = new Map(rows.map((one) => [one.id, nameOf(one)]));
  const bulk = useBulk({
    selection,
    one: "delivery",
    many: "deliveries",
    nameOf: (id) => names.get(id) ?? id,
    refreshes: ["deliveries"],
  });
  const retry = (): void =>
    bulk.start({
      verb: "Retry",
      done: "tried once more",
      commandFor: (id) => ({ path: retryPath(side, id) }),
    });
  return {
    selecting: { selection, nameOf, isSelectable: isRetriable },
    bar: (
      <BulkBar selection={selection}>
        <Button onClick={retry}>Retry</Button>
      </BulkBar>
    ),
    dialog: bulk.dialog,
  };
}
