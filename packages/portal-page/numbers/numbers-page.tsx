import { useState } from "react";
import { Link, useLocation } from "wouter";
import { COUNTRY_CODES } from "../../../services/domain/countries/country-code.ts";
import { Badge } from "../../ui/badge.tsx";
import { BulkBar, useBulk } from "../../ui/bulk.tsx";
import { Button } from "../../ui/button.tsx";
import { useList } from "../../ui/http/read.ts";
import { withQuery } from "../../ui/http/request.ts";
import {
  ChoiceFilter,
  FilterChip,
  Filters,
  ListView,
  useUrlFilters,
  WholeFilter,
  type Column,
} from "../../ui/list.tsx";
import { counted } from "../../ui/list-rules.ts";
import { Page } from "../../ui/page.tsx";
import { useSelection } from "../../ui/selection.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { soughtNumber } from "../order-form/given-values.ts";
import { kindOf } from "../orders/order-words.ts";
import { UnlockDialog } from "./unlock-dialog.tsx";
import {
  NUMBER_STATES,
  numberAt,
  numberPath,
  NUMBERS,
  protectionOf,
  type PlatformNumber,
} from "./numbers.ts";

const FILTERS = ["status", "country", "order"] as const;
const nameOf = ({ phone_number: number }: PlatformNumber): string => number;

/** The account's numbers, those that have left included. */
export default function NumbersPage() {
  const url = useUrlFilters(FILTERS);
  const { of, change, after } = url;
  const { status, country, order } = url.filters;
  const [, navigate] = useLocation();
  const path = withQuery(NUMBERS, {
    ...{ status, country_code: country, porting_order_id: order },
    ...{ limit: 50, starting_after: after },
  });
  const query = useList<PlatformNumber>("numbers", path);
  const [isAsking, setIsAsking] = useState(false);
  const selection = useSelection(query.data?.data.map(nameOf) ?? []);
  const bulk = useBulk({
    ...{ selection, one: "number", refreshes: ["numbers"] },
    nameOf: (number) => number,
  });
  const lock = (port_out_lock: boolean): void =>
    bulk.start({
      ...(port_out_lock ? { verb: "Lock", done: "locked" } : { verb: "Unlock", done: "unlocked" }),
      commandFor: (number) => ({
        ...{ method: "PATCH", path: numberAt(number), body: { port_out_lock } },
      }),
    });
  return (
    <Page title="Numbers">
      <Filters label="Filter numbers" url={url}>
        <WholeFilter
          label="Go to number"
          type="tel"
          placeholder="+12125550123"
          value=""
          onChange={(number) => navigate(numberPath(soughtNumber(number)))}
        />
        <ChoiceFilter
          label="Status"
          any="Any"
          options={Object.entries(NUMBER_STATES).map(([name, [text]]) => [name, text])}
          {...of("status")}
        />
        <ChoiceFilter
          label="Country"
          any="Any"
          options={COUNTRY_CODES.map((code) => [code, code])}
          {...of("country")}
        />
        {order !== "" && (
          <FilterChip label="Of one order: show all numbers" onRemove={() => change({ order: "" })}>
            Of one order
          </FilterChip>
        )}
      </Filters>
      <BulkBar selection={selection}>
        <Button onClick={() => lock(true)}>Lock against port-out</Button>
        <Button onClick={() => setIsAsking(true)}>Unlock</Button>
      </BulkBar>
      <ListView
        query={query}
        caption="Numbers"
        columns={COLUMNS}
        keyOf={nameOf}
        selecting={{ selection, nameOf }}
        empty={
          <Empty title="No numbers here">
            A number appears once its port is done. If you filter, another filter may show some.
          </Empty>
        }
      />
      {isAsking && (
        <UnlockDialog
          what={counted(selection.selected.length, "number")}
          onConfirm={() => {
            setIsAsking(false);
            lock(false);
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
      {bulk.dialog}
    </Page>
  );
}

const COLUMNS: readonly Column<PlatformNumber>[] = [
  {
    title: "Number",
    cell: (one) => (
      <>
        <Link href={numberPath(one.phone_number)} className="nowrap">
          {one.phone_number}
        </Link>
        <span className="under">{kindOf(one)}</span>
      </>
    ),
  },
  {
    title: "Status",
    cell: ({ status }) => {
      const [text, tone] = NUMBER_STATES[status];
      return <Badge tone={tone}>{text}</Badge>;
    },
  },
  {
    title: "Calls go to",
    cell: ({ forwarding }) => forwarding?.primary ?? "–",
    isMinor: true,
  },
  { title: "Port-out", cell: protectionOf },
  { title: "Provider", cell: ({ provider }) => provider, isMinor: true },
  {
    title: "Live since",
    cell: ({ activated_at: at }) => <Time at={at} />,
    isMinor: true,
  },
];
