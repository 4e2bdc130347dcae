import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { listOf } from "../../ui/http/read.ts";
import { withQuery } from "../../ui/http/request.ts";
import {
  ChoiceFilter,
  Filters,
  ListView,
  useUrlFilters,
  WholeFilter,
  type Column,
} from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { PORT_OUT_WORDS } from "../../ui/port-outs/port-out-words.ts";
import { Empty } from "../../ui/states.tsx";
import { DueClock, Time } from "../../ui/time.tsx";
import { soughtNumber } from "../order-form/given-values.ts";
import { decisionText, LOOK_AGAIN_MS, PORT_OUTS, type PortOut } from "./port-outs.ts";

/** What other carriers ask for: what has to be decided first, by deadline. */
export default function PortOutsPage() {
  const url = useUrlFilters(["status", "number"]);
  const { of, after } = url;
  const { status, number } = url.filters;
  // Each has the same time from its request on, so that the oldest is due first.
  const isToDecide = status === "" && number === "";
  const asked = isToDecide ? "decision_required" : status;
  const path = withQuery(PORT_OUTS, {
    status: asked === "any" ? "" : asked,
    order: isToDecide ? "asc" : "",
    phone_number: soughtNumber(number),
    starting_after: after,
  });
  const query = useQuery({ ...listOf<PortOut>("port-outs", path), refetchInterval: LOOK_AGAIN_MS });
  return (
    <Page title="Port-outs">
      <p className="muted">
        Other carriers’ requests to take numbers away. What nobody decides goes ahead at its
        deadline; the nearest one is first.
      </p>
      <Filters label="Filter port-outs" url={url}>
        <ChoiceFilter
          label="Status"
          any="To decide"
          options={[
            ["any", "All of them"],
            ...Object.entries(PORT_OUT_WORDS).map(([name, words]) => [name, words.name] as const),
          ]}
          {...of("status")}
        />
        <WholeFilter label="Number" type="tel" placeholder="+12125550123" {...of("number")} />
      </Filters>
      <ListView
        query={query}
        caption="Port-outs"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          isToDecide ? (
            <Empty title="Nothing to decide">No carrier’s request waits for you.</Empty>
          ) : (
            <Empty title="No port-out matches these filters" />
          )
        }
      />
    </Page>
  );
}

const COLUMNS: readonly Column<PortOut>[] = [
  {
    title: "Numbers",
    cell: ({ id, phone_numbers: [first = "", ...others], gaining_carrier: carrier }) => (
      <>
        <Link href={`/port-outs/${id}`}>
          <span className="nowrap">{first}</span>
          {others.length > 0 && ` and ${others.length} more`}
        </Link>
        <span className="under">to {carrier}</span>
      </>
    ),
  },
  {
    title: "Status",
    cell: (one) => (
      <>
        <Badge tone={PORT_OUT_WORDS[one.status].tone}>{PORT_OUT_WORDS[one.status].name}</Badge>
        {one.decision !== null && <span className="under">{decisionText(one)}</span>}
      </>
    ),
  },
  {
    title: "Decide by",
    cell: ({ status, decision_deadline: at }) =>
      status === "decision_required" && at !== null ? (
        <>
          <DueClock at={at} />
          <span className="under">
            <Time at={at} />, then it goes ahead
          </span>
        </>
      ) : (
        "–"
      ),
  },
  {
    title: "Wanted for",
    cell: ({ requested_foc: at }) => <Time at={at} form="zoned" />,
    isMinor: true,
  },
  { title: "Arrived", cell: ({ created_at: at }) => <Time at={at} />, isMinor: true },
];
