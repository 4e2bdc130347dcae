import { Link } from "wouter";
import { useEffect, useId, useRef, useState } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { COUNTRY_CODES } from "../../../domain/countries/country-code.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ROW_LINK, useRowKeys } from "../../ui/keys.ts";
import {
  ChoiceFilter,
  Filters,
  Paging,
  Table,
  TextFilter,
  useUrlFilters,
  type Column,
} from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { browserZone } from "../../ui/zoned-time.ts";
import { useProviders } from "../carriers/carriers.ts";
import { SEARCH_BOX, type SearchState } from "../keys.ts";
import { AccountChip } from "./list/account-chip.tsx";
import styles from "./orders-page.module.css";
import {
  ATTENTION_WORDS,
  FILTER_NAMES,
  nextStepOf,
  orderQueryOf,
  STATUS_GROUPS,
  STATUS_WORDS,
  typeName,
  useOrders,
  type ListFilters,
  type OrderStatus,
  type OrderSummary,
} from "./orders.ts";

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

const countryNames = new Intl.DisplayNames("en", { type: "region" });

interface OrderFiltersProps {
  readonly filters: ListFilters;
  readonly change: (changes: Partial<ListFilters>) => void;
  readonly clear: () => void;
  readonly isFiltered: boolean;
}

export function OrderFilters({ filters, change, clear, isFiltered }: OrderFiltersProps) {
  const { data: providers } = useProviders();
  return (
    <Filters label="Filter the orders" isFiltered={isFiltered} onClear={clear}>
      <StatusFilter value={filters.status} onChange={(status) => change({ status })} />
      <ChoiceFilter
        label="Attention"
        value={filters.attention}
        onChange={(attention) => change({ attention })}
      >
        <option value="">Any order</option>
        <option value="true">Needs attention</option>
        <option value="false">Needs none</option>
      </ChoiceFilter>
      <ChoiceFilter
        label="Provider"
        value={filters.provider}
        onChange={(provider) => change({ provider })}
      >
        <option value="">Any provider</option>
        {withChosen(providers?.data.map(({ name }) => name) ?? [], filters.provider).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </ChoiceFilter>
      <ChoiceFilter
        label="Country"
        value={filters.country}
        onChange={(country) => change({ country })}
      >
        <option value="">Any country</option>
        {withChosen(COUNTRY_CODES, filters.country).map((code) => (
          <option key={code} value={code}>
            {countryNames.of(code)}
          </option>
        ))}
      </ChoiceFilter>
      <TextFilter
        label="FOC date from"
        type="date"
        value={filters.foc_from}
        onChange={(foc_from) => change({ foc_from })}
      />
      <TextFilter
        label="FOC date to"
        type="date"
        value={filters.foc_to}
        onChange={(foc_to) => change({ foc_to })}
      />
      <AccountChip account={filters.account} onRemove={() => change({ account: "" })} />
      {filters.carrier !== "" && (
        <Button kind="quiet" onClick={() => change({ carrier: "" })}>
          From {filters.carrier} ✕
        </Button>
      )}
      {filters.batch !== "" && (
        <Button kind="quiet" onClick={() => change({ batch: "" })}>
          One batch ✕
        </Button>
      )}
    </Filters>
  );
}

/** What the URL asks for stays chosen, also before the choices have been fetched. */
function withChosen(names: readonly string[], chosen: string): readonly string[] {
  return chosen === "" || names.includes(chosen) ? names : [...names, chosen];
}

interface StatusFilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function StatusFilter({ value, onChange }: StatusFilterProps) {
  return (
    <ChoiceFilter label="Status" value={value} onChange={onChange}>
      <option value="">Any status</option>
      <optgroup label="Several">
        {Object.entries(STATUS_GROUPS).map(([key, { name }]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </optgroup>
      <optgroup label="One">
        {(Object.keys(STATUS_WORDS) as OrderStatus[]).map((status) => (
          <option key={status} value={status}>
            {STATUS_WORDS[status].name}
          </option>
        ))}
      </optgroup>
    </ChoiceFilter>
  );
}

const COLUMNS: readonly Column<OrderSummary>[] = [
  { title: "Numbers", cell: (order) => <Numbers order={order} /> },
  { title: "Status", cell: (order) => <Status order={order} /> },
  { title: "Next", cell: (order) => <Next order={order} /> },
  {
    title: "Account",
    isMinor: true,
    cell: ({ account, customer_reference: reference }) => (
      <>
        <Link href={`/accounts/${account.id}`}>{account.name}</Link>
        {reference !== "" && (
          <span className={`${styles["under"]} ${styles["reference"]}`} title={reference}>
            {reference}
          </span>
        )}
      </>
    ),
  },
  {
    title: "From carrier",
    isMinor: true,
    cell: ({ losing_carrier: carrier, provider }) => (
      <>
        {carrier ?? "Not known"}
        <span className={styles["under"]}>by {provider}</span>
      </>
    ),
  },
  {
    title: "FOC date",
    isMinor: true,
    cell: ({ foc_actual: foc }) => (
      <span className={styles["time"]}>
        <Time at={foc} />
      </span>
    ),
  },
  {
    title: "Changed",
    isMinor: true,
    align: "right",
    cell: ({ updated_at: at }) => (
      <span className={styles["time"]}>
        <Time at={at} form="past" />
      </span>
    ),
  },
];

export function OrderTable({ orders }: { readonly orders: readonly OrderSummary[] }) {
  return <Table caption="Orders" columns={COLUMNS} rows={orders} keyOf={({ id }) => id} />;
}

function Numbers({ order }: { readonly order: OrderSummary }) {
  const { id, first_number: first, numbers_count: count, country_code, number_type } = order;
  return (
    <>
      <Link {...ROW_LINK} href={`/orders/${id}`} className={styles["number"] ?? ""}>
        {first}
      </Link>
      <span className={styles["under"]}>
        {country_code} {typeName(number_type)}
        {count > 1 && ` · ${count} numbers`}
      </span>
    </>
  );
}

function Status({ order: { status, attention, provider_status: word } }: RowProps) {
  const { name, tone } = STATUS_WORDS[status];
  return (
    <span className={styles["status"]}>
      <Badge tone={tone}>{name}</Badge>
      {attention !== null && (
        <span title={attention.reason}>
          <Badge tone="warning">{ATTENTION_WORDS[attention.kind]}</Badge>
        </span>
      )}
      {word !== "" && <span className={styles["word"]}>“{word}”</span>}
    </span>
  );
}

interface RowProps {
  readonly order: OrderSummary;
}

/** `The customer` → `Customer`. */
function shortOf(who: string): string {
  const name = who.replace(/^The /, "");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function Next({ order }: RowProps) {
  const { who, what, by } = nextStepOf(order);
  if (order.next_action.actor === "none") return <span className={styles["under"]}>Ended</span>;
  return (
    <div className={styles["next"]}>
      <strong>{shortOf(who)}</strong> {what}
      {by !== null && (
        <span className={styles["under"]}>
          {by} <Time at={order.next_action.due_at} form="relative" />
        </span>
      )}
    </div>
  );
}

const PAUSE_MS = 250;

interface SearchBoxProps {
  readonly value: string;
  /** Called a moment after the last key, and at once for Enter. */
  readonly onSearch: (value: string) => void;
}

/** The one box that finds an order by whatever a caller has at hand. */
export function SearchBox({ value, onSearch }: SearchBoxProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [given, setGiven] = useState(value);
  if (value !== given) {
    setGiven(value);
    if (value !== text.trim()) setText(value);
  }
  const { wantsSearch = false } = useHistoryState<SearchState | null>() ?? {};
  useEffect(() => {
    if (wantsSearch) box.current?.focus();
  }, [wantsSearch]);
  const search = useRef(onSearch);
  search.current = onSearch;
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => search.current(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <div className={styles["search"]}>
      <label className="visually-hidden" htmlFor={id}>
        Search orders
      </label>
      <input
        {...SEARCH_BOX}
        ref={box}
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder="Number or its last digits, reference, id, account"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onSearch(text.trim());
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}
