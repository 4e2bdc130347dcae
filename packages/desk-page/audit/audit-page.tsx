import type { z } from "zod";
import { Link } from "wouter";
import type { auditEntryAnswer } from "../../../services/desk/audit/answers.ts";
import type { personAnswer } from "../../../services/desk/operators/answers.ts";
import { optionsOf } from "../../ui/field.tsx";
import { useCountedList, useList } from "../../ui/http/read.ts";
import {
  ChoiceFilter,
  Filters,
  ListSummary,
  ListView,
  TextFilter,
  useUrlFilters,
  WholeFilter,
  type Column,
} from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { startOfDay } from "../../ui/zoned-time.ts";
import { shortId } from "../reviews/reviews.ts";
import { AccountFilter } from "../accounts/account-filter.tsx";
import { ACTIONS, actionGroups, changesOf, sentenceOf } from "./audit-entries.ts";
import styles from "./audit.module.css";
import { SavedViews } from "../views/saved-views.tsx";

type Entry = z.output<typeof auditEntryAnswer>;

const FILTERS = [
  "action",
  "operator_id",
  "account_id",
  "porting_order_id",
  "created_after",
  "created_before",
] as const;

const COLUMNS: readonly Column<Entry>[] = [
  { title: "When", cell: ({ created_at }) => <Time at={created_at} />, sort: "created_at" },
  { title: "What happened", cell: (entry) => <Sentence entry={entry} /> },
  { title: "Before and after", cell: (entry) => <Changes entry={entry} /> },
];

/** What operators did and looked at, newest first. */
export default function AuditPage() {
  const url = useUrlFilters(FILTERS);
  const { filters, of, change } = url;
  const { created_after: from, created_before: to, ...others } = filters;
  const range = { created_after: startOfDay(from), created_before: startOfDay(to) };
  const query = { ...others, ...range, ...url.page };
  const list = useCountedList<Entry>("audit", "/desk/v1/audit", query);
  return (
    <Page title="Audit log">
      <SavedViews screen="audit" />
      <Filters label="Filter the audit log" url={url}>
        <OperatorFilter
          chosen={filters.operator_id}
          known={list.page.data?.data.map(({ operator }) => operator) ?? []}
          onChange={(id) => change({ operator_id: id })}
        />
        <ActionFilter {...of("action")} />
        <AccountFilter {...of("account_id")} />
        <WholeFilter label="Order id" {...of("porting_order_id")} />
        <TextFilter label="From" type="date" {...of("created_after")} />
        <TextFilter label="Before" type="date" {...of("created_before")} />
      </Filters>
      <ListView
        query={list.page}
        summary={<ListSummary list={list} one="entry" many="entries" />}
        sorting={url.sorting}
        caption="Entries of the audit log"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={<Empty title="Nothing matches">The audit log has no entry for these filters.</Empty>}
      />
    </Page>
  );
}

/** Who did what, to what: `Ana approved 7 fields and confirmed the order · order 0198c0de · Acme`. */
function Sentence({ entry }: { readonly entry: Entry }) {
  const { operator, operator_name: name, porting_order_id: orderId, account, action } = entry;
  return (
    <>
      {operator === null ? (
        <strong>{name}</strong>
      ) : (
        <Link href={`/audit?operator_id=${operator.id}`}>{name}</Link>
      )}{" "}
      <span title={action}>{sentenceOf(entry)}</span>
      {orderId !== null && (
        <>
          {" · "}
          <Link href={`/orders/${orderId}`} title={orderId} className="nowrap">
            order {shortId(orderId)}
          </Link>
        </>
      )}
      {account !== null && (
        <>
          {" · "}
          <Link href={`/accounts/${account.id}`} title={account.id}>
            {account.name}
          </Link>
        </>
      )}
    </>
  );
}

interface ActionFilterProps {
  readonly value: string;
  readonly onChange: (action: string) => void;
}

function ActionFilter({ value, onChange }: ActionFilterProps) {
  return (
    <ChoiceFilter
      label="Action"
      value={value}
      any="All actions"
      options={value === "" || value in ACTIONS ? [] : [[value, value]]}
      onChange={onChange}
    >
      {actionGroups().map(([subject, actions]) => (
        <optgroup key={subject} label={subject}>
          {optionsOf(actions)}
        </optgroup>
      ))}
    </ChoiceFilter>
  );
}

function Changes({ entry: { before, after } }: { readonly entry: Entry }) {
  const changes = changesOf(before, after);
  if (changes.length === 0) return <span>–</span>;
  return (
    <ul className={styles["changes"]}>
      {changes.map(({ name, was, is, isChanged }) => (
        <li key={name}>
          <span className="muted">{name}</span> {was !== null && <del>{was}</del>}{" "}
          {is !== null && (isChanged ? <ins>{is}</ins> : is)}
        </li>
      ))}
    </ul>
  );
}

type Person = z.output<typeof personAnswer>;

interface OperatorFilterProps {
  /** The operator's id; empty for all. */
  readonly chosen: string;
  /** Who acted in the entries that are shown, which may be somebody who has left. */
  readonly known: readonly (Person | null)[];
  readonly onChange: (id: string) => void;
}

/** The operators who decide, by name; an entry's name leads to what any other did. */
function OperatorFilter({ chosen, known, onChange }: OperatorFilterProps) {
  const { data } = useList<Person>("operators", "/desk/v1/reviewers");
  const listed = data?.data ?? [];
  const isListed = chosen === "" || listed.some(({ id }) => id === chosen);
  const other = known.find((person) => person?.id === chosen)?.name ?? "One operator";
  const options = isListed ? listed : [{ id: chosen, name: other }, ...listed];
  return (
    <ChoiceFilter
      label="Operator"
      value={chosen}
      any="All operators"
      options={options.map(({ id, name }) => [id, name])}
      onChange={onChange}
    />
  );
}
