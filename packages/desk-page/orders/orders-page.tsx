import { Link } from "wouter";
import { useEffect, useId, useRef, useState } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { COUNTRY_CODES } from "../../../services/domain/countries/country-code.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { optionsOf, type Options } from "../../ui/field.tsx";
import { useCountedList } from "../../ui/http/read.ts";
import { ROW_LINK, useRowKeys } from "../../ui/keys.ts";
import {
  ChoiceFilter,
  FilterChip,
  Filters,
  ListSummary,
  ListView,
  TextFilter,
  useUrlFilters,
  type Column,
} from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { browserZone } from "../../ui/zoned-time.ts";
import { useProviders } from "../carriers/carriers.ts";
import { SEARCH_BOX, type SearchState } from "../keys.ts";
import styles from "./orders-page.module.css";
import {
  ATTENTION_WORDS,
  FILTER_NAMES,
  nextStepOf,
  orderQueryOf,
  ORDERS,
  STATUS_GROUPS,
  STATUS_WORDS,
  typeName,
  type OrderSummary,
} from "./orders.ts";
import { SavedViews } from "../views/saved-views.tsx";

/** All orders of all accounts: found by one box, narrowed by filters. */
export default function OrdersPage() {
  const url = useUrlFilters(FILTER_NAMES);
  const { filters, change, clear, isFiltered, sorting } = url;
  const query = { ...orderQueryOf(filters, browserZone()), ...url.page };
  const orders = useCountedList<OrderSummary>("orders", ORDERS, query);
  const isByFoc = sorting.by === "foc_actual";
  useRowKeys();
  return (
    <Page title="Orders">
      <SavedViews screen="orders" />
      <SearchBox value={filters.q} onSearch={(q) => change({ q }, { replace: true })} />
      <OrderFilters url={url} />
      <ListView
        query={orders.page}
        summary={
          <ListSummary
            list={orders}
            one={isByFoc ? "order with a FOC date" : "order"}
            many={isByFoc ? "orders with a FOC date" : "orders"}
          />
        }
        sorting={sorting}
        caption="Orders"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={<NoOrders isFiltered={isFiltered} q={filters.q} onClear={clear} />}
      />
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
      of an order or an account, or a part of an account’s name. Sorted by FOC date, the list has
      only orders with one.
    </Empty>
  );
}

const countryNames = new Intl.DisplayNames("en", { type: "region" });

type UrlFilters = ReturnType<typeof useUrlFilters<(typeof FILTER_NAMES)[number]>>;

function OrderFilters({ url }: { readonly url: UrlFilters }) {
  const { filters, of, change } = url;
  const { data: providers } = useProviders();
  return (
    <Filters label="Filter the orders" url={url}>
      <ChoiceFilter label="Status" any="Any status" {...of("status")}>
        <optgroup label="Several">{optionsOf(namesOf(STATUS_GROUPS))}</optgroup>
        <optgroup label="One">{optionsOf(namesOf(STATUS_WORDS))}</optgroup>
      </ChoiceFilter>
      <ChoiceFilter
        label="Attention"
        any="Any order"
        options={[
          ["true", "Needs attention"],
          ["false", "Needs none"],
        ]}
        {...of("attention")}
      />
      <ChoiceFilter
        label="Provider"
        any="Any provider"
        options={withChosen(providers?.data.map(({ name }) => name) ?? [], filters.provider).map(
          (name) => [name, name],
        )}
        {...of("provider")}
      />
      <ChoiceFilter
        label="Country"
        any="Any country"
        options={withChosen(COUNTRY_CODES, filters.country).map((code) => [
          code,
          countryNames.of(code),
        ])}
        {...of("country")}
      />
      <TextFilter label="FOC date from" type="date" {...of("foc_from")} />
      <TextFilter label="FOC date to" type="date" {...of("foc_to")} />
      {filters.account !== "" && (
        <FilterChip label="One account: show all accounts" onRemove={() => change({ account: "" })}>
          One account
        </FilterChip>
      )}
      {filters.carrier !== "" && (
        <FilterChip onRemove={() => change({ carrier: "" })}>From {filters.carrier}</FilterChip>
      )}
      {filters.batch !== "" && (
        <FilterChip onRemove={() => change({ batch: "" })}>One batch</FilterChip>
      )}
    </Filters>
  );
}

/** What the URL asks for stays chosen, also before the choices have been fetched. */
function withChosen(names: readonly string[], chosen: string): readonly string[] {
  return chosen === "" || names.includes(chosen) ? names : [...names, chosen];
}

function namesOf(words: Readonly<Record<string, { readonly name: string }>>): Options {
  return Object.entries(words).map(([value, { name }]) => [value, name]);
}

const COLUMNS: readonly Column<OrderSummary>[] = [
  {
    title: "Numbers",
    cell: (order) => <Numbers order={order} />,
    copies: ["the order’s id", ({ id }) => id],
  },
  { title: "Status", cell: (order) => <Status order={order} /> },
  { title: "Next", cell: (order) => <Next order={order} /> },
  {
    title: "Account",
    isMinor: true,
    cell: ({ account, customer_reference: reference }) => (
      <>
        <Link href={`/accounts/${account.id}`}>{account.name}</Link>
        {reference !== "" && (
          <span className={`under ${styles["reference"]}`} title={reference}>
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
        <span className="under">by {provider}</span>
      </>
    ),
  },
  {
    title: "FOC date",
    isMinor: true,
    sort: "foc_actual",
    cell: ({ foc_actual: foc }) => (
      <span className={styles["time"]}>
        <Time at={foc} />
      </span>
    ),
  },
  {
    title: "Created",
    isMinor: true,
    align: "right",
    sort: "created_at",
    cell: ({ created_at: made, updated_at: at }) => (
      <span className={styles["time"]}>
        <Time at={made} form="past" />
        <span className="under">
          changed <Time at={at} form="past" />
        </span>
      </span>
    ),
  },
];

function Numbers({ order }: { readonly order: OrderSummary }) {
  const { id, first_number: first, numbers_count: count, country_code, number_type } = order;
  return (
    <>
      <Link {...ROW_LINK} href={`/orders/${id}`} className={styles["number"] ?? ""}>
        {first}
      </Link>
      <span className="under">
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
  if (order.next_action.actor === "none") return <span className="under">Ended</span>;
  return (
    <div className={styles["next"]}>
      <strong>{shortOf(who)}</strong> {what}
      {by !== null && (
        <span className="under">
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
