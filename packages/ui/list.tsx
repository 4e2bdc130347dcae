import type { UseQueryResult } from "@tanstack/react-query";
import { useId, useState, type InputHTMLAttributes, type ReactNode } from "react";
import { Link, useSearchParams } from "wouter";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy.tsx";
import { optionsOf, type Options } from "./field.tsx";
import type { CountedList } from "./http/read.ts";
import type { Page } from "./http/request.ts";
import { sortedBy, sortingOf, sortParameters, totalText, type Sorting } from "./list-rules.ts";
import styles from "./list.module.css";
import { bySpace, SelectAll, SelectRow, type Selecting } from "./selection.tsx";
import { DataView } from "./states.tsx";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand right. */
  readonly align?: "right";
  /** Left out where the page is narrow. */
  readonly isMinor?: boolean;
  /** What the list is sorted by at a click on the title, as the service names it. */
  readonly sort?: string;
  /** What a button beside the cell copies, and what that is: `the order’s id`. */
  readonly copies?: readonly [what: string, valueOf: (row: Row) => string | null];
}

interface TableProps<Row> {
  /** Read out by a screen reader. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The row that the keys j and k are at. */
  readonly currentKey?: string | null;
  /** Where the list can be sorted. */
  readonly sorting?: UrlSorting;
  /** Where rows can be selected; with a row's name, for its box. */
  readonly selecting?: Selecting<Row> | undefined;
}

type UrlSorting = Sorting & { readonly sortBy: (key: string) => void };

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, currentKey, sorting, selecting } = props;
  return (
    <div className={styles["frame"]} role="region" aria-label={caption} tabIndex={0}>
      <table className={styles["table"]}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {selecting !== undefined && <SelectAll {...selecting} rows={rows} />}
            {columns.map((column) => (
              <ColumnTitle key={column.title} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={selecting === undefined ? undefined : bySpace(selecting.selection)}>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              data-key={keyOf(row)}
              aria-current={keyOf(row) === currentKey || undefined}
            >
              {selecting !== undefined && (
                <SelectRow {...selecting} row={row} rowKey={keyOf(row)} />
              )}
              {columns.map((column) => (
                <td key={column.title} className={classOf(column)}>
                  {column.cell(row)}
                  <Copied column={column} row={row} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TitleProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: UrlSorting | undefined;
}

const ARROWS = { asc: "↑", desc: "↓" } as const;
const SORTED = { asc: "ascending", desc: "descending" } as const;

function ColumnTitle<Row>({ column, sorting }: TitleProps<Row>) {
  const { title, sort } = column;
  if (sorting === undefined || sort === undefined) {
    return (
      <th scope="col" className={classOf(column)}>
        {title}
      </th>
    );
  }
  const order = sorting.by === sort ? sorting.order : null;
  return (
    <th
      scope="col"
      className={classOf(column)}
      aria-sort={order === null ? undefined : SORTED[order]}
    >
      <button type="button" className={styles["sort"]} onClick={() => sorting.sortBy(sort)}>
        {title} <span aria-hidden="true">{order === null ? "↕" : ARROWS[order]}</span>
      </button>
    </th>
  );
}

function Copied<Row>({ column: { copies }, row }: { column: Column<Row>; row: Row }) {
  const [what, valueOf] = copies ?? [];
  const value = valueOf?.(row);
  if (what === undefined || value == null) return null;
  return <CopyButton what={what} value={value} />;
}

function classOf<Row>({ align, isMinor = false }: Column<Row>): string {
  return [align === "right" && styles["right"], isMinor && styles["minor"]]
    .filter(Boolean)
    .join(" ");
}

interface ListViewProps<Row> extends Omit<TableProps<Row>, "rows"> {
  readonly query: UseQueryResult<Page<Row>>;
  /** Above the table, and how many there are. */
  readonly summary?: ReactNode;
  /** In the place of a table without rows. */
  readonly empty?: ReactNode;
}

/** A page of a list as its query gives it: the table, and the way to the other pages. */
export function ListView<Row>({ query, summary, empty, ...table }: ListViewProps<Row>) {
  return (
    <DataView query={query}>
      {({ data, has_more: hasMore }) =>
        data.length === 0 && empty !== undefined ? (
          empty
        ) : (
          <>
            {summary}
            <Table {...table} rows={data} />
            <Paging last={data.map(table.keyOf).at(-1)} hasMore={hasMore} />
          </>
        )
      }
    </DataView>
  );
}

interface SummaryProps {
  /** Where the list is counted and exported. */
  readonly list?: Pick<CountedList<unknown>, "total" | "fileAt">;
  /** One of what is listed: `order`. */
  readonly one: string;
  readonly many?: string;
  /** What can be done with selected rows. */
  readonly children?: ReactNode;
}

/** How many the filters find on all pages, and all of them as a file. */
export function ListSummary({ list, one, many = `${one}s`, children }: SummaryProps) {
  const total = list?.total.data?.total;
  return (
    <div className={styles["summary"]}>
      <p role="status">{total !== undefined && totalText(total, one, many)}</p>
      {children}
      {list !== undefined && <ExportLinks fileAt={list.fileAt} />}
    </div>
  );
}

const FORMATS = { csv: "CSV", ndjson: "NDJSON" } as const;

/** The list as it is filtered and sorted, as a file that the browser saves. */
export function ExportLinks({ fileAt }: Pick<CountedList<unknown>, "fileAt">) {
  return (
    <p className={styles["export"]}>
      Export{" "}
      {(["csv", "ndjson"] as const).map((format) => (
        <a key={format} href={fileAt(format)} download aria-label={`Export as ${FORMATS[format]}`}>
          {FORMATS[format]}
        </a>
      ))}
    </p>
  );
}

interface PagingProps {
  /** The key of the last row that is shown. */
  readonly last: string | undefined;
  readonly hasMore: boolean;
}

/** The way to the next page of a list and back to the first; the page stands in the URL. */
function Paging({ last, hasMore }: PagingProps) {
  const [search] = useSearchParams();
  const linkTo = (after: string | null): string => {
    const next = new URLSearchParams(search);
    if (after === null) next.delete(CURSOR);
    else next.set(CURSOR, after);
    return `?${next}`;
  };
  const isFirst = !search.has(CURSOR);
  if (isFirst && !hasMore) return null;
  return (
    <nav className={styles["paging"]} aria-label="Pages">
      {!isFirst && <Link href={linkTo(null)}>First page</Link>}
      {hasMore && last !== undefined && <Link href={linkTo(last)}>Next page</Link>}
    </nav>
  );
}

interface FiltersProps {
  readonly label: string;
  readonly url: { readonly isFiltered: boolean; readonly clear: () => void };
  readonly children: ReactNode;
}

/** A row of filters above a list. */
export function Filters({ label, url, children }: FiltersProps) {
  return (
    <div role="search" aria-label={label} className={styles["filters"]}>
      {children}
      {url.isFiltered && (
        <Button kind="quiet" onClick={url.clear}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** Empty where it filters nothing. */
  readonly value: string;
  /** What is read where it filters nothing. */
  readonly any: string;
  readonly options?: Options;
  readonly onChange: (value: string) => void;
  /** Groups of options. */
  readonly children?: ReactNode;
}

/** One filter with a list of values. */
export function ChoiceFilter(props: ChoiceProps) {
  const { label, value, any, options = [], onChange, children } = props;
  const id = useId();
  return (
    <div className={styles["filter"]}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{any}</option>
        {optionsOf(options)}
        {children}
      </select>
    </div>
  );
}

interface TextProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One filter that acts at every key: a part of a name, or a date. */
export function TextFilter({ label, onChange, ...rest }: TextProps) {
  const id = useId();
  return (
    <div className={styles["filter"]}>
      <label htmlFor={id}>{label}</label>
      <input id={id} {...rest} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

/**
 * One filter that means something only once it is typed whole, such as a phone number or an id: it acts at Enter, and
 * when the focus leaves; not for the value that it has already.
 */
export function WholeFilter({ value, onChange, ...rest }: TextProps) {
  const [text, setText] = useState(value);
  const [given, setGiven] = useState(value);
  if (value !== given) {
    setGiven(value);
    setText(value);
  }
  const commit = (): void => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <TextFilter
      {...rest}
      value={text}
      onChange={setText}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
      }}
    />
  );
}

interface FilterChipProps {
  /** Read out in place of the text, where that says too little. */
  readonly label?: string;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}

/** One filter that is set by a link, and can only be removed here. */
export function FilterChip({ label, onRemove, children }: FilterChipProps) {
  return (
    <Button kind="quiet" aria-label={label} onClick={onRemove}>
      {children} ✕
    </Button>
  );
}

/** Where a page of a list starts, which another filter makes meaningless. */
const CURSOR = "after";

/** What of a list is open beside it, in the URL too; empty for nothing. */
export function useUrlValue(name: string): [value: string, set: (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = (value: string): void =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (value === "") next.delete(name);
      else next.set(name, value);
      return next;
    });
  return [search.get(name) ?? "", set];
}

/** Filters that stand in the URL, so that reload, back and a sent link show the same list; empty where not set. */
export function useUrlFilters<Name extends string>(
  names: readonly Name[],
  first: Sorting = { by: "created_at", order: "desc" },
) {
  const [search, setSearch] = useSearchParams();
  const filters = Object.fromEntries(
    names.map((name) => [name, search.get(name) ?? ""]),
  ) as Readonly<Record<Name, string>>;
  const set = (
    changes: Readonly<Record<string, string | undefined>>,
    options = { replace: false },
  ): void => {
    setSearch((before) => {
      const next = new URLSearchParams(before);
      next.delete(CURSOR);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === "") next.delete(name);
        else next.set(name, value);
      }
      return next;
    }, options);
  };
  const change: (changes: Partial<Record<Name, string>>, options?: { replace: boolean }) => void =
    set;
  /** The order too: sorted by a date, a list has only what has one. */
  const clear = (): void =>
    set(Object.fromEntries([...names, "order_by", "order"].map((name) => [name, ""])));
  const isFiltered = names.some((name) => filters[name] !== "");
  /** For the control of one filter. */
  const of = (name: Name) => ({
    value: filters[name],
    onChange: (value: string) => change({ [name]: value } as Partial<Record<Name, string>>),
  });
  const given = { by: search.get("order_by") ?? "", order: search.get("order") ?? "" };
  const now = sortingOf(given, first);
  const sorting: UrlSorting = {
    ...now,
    sortBy: (by) => set(sortParameters(sortedBy(by, now, first), first)),
  };
  /** Where the page begins, and in which order, for the service. */
  const page = { ...sortParameters(now, first), starting_after: search.get(CURSOR) ?? "" };
  return { filters, of, change, clear, isFiltered, after: page.starting_after, sorting, page };
}
