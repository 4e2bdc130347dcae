import type { Statistics } from "../../../services/desk/statistics/answers.ts";
import { useRead } from "../../ui/http/read.ts";
import { withQuery } from "../../ui/http/request.ts";
import {
  ChoiceFilter,
  ExportLinks,
  Filters,
  Table,
  TextFilter,
  useUrlFilters,
  type Column,
} from "../../ui/list.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
import { spanText } from "../../ui/time-text.ts";
import { dayOf, startOfDay } from "../../ui/zoned-time.ts";
import { STATUS_WORDS } from "../orders/orders.ts";
import { fieldWords } from "../reviews/reviews.ts";
import styles from "./team.module.css";

const span = (seconds: number | null): string =>
  seconds === null ? "–" : spanText(seconds * 1_000);
const percent = (share: number | null): string =>
  share === null ? "–" : `${Math.round(share * 100)} %`;

/** What the team did: cases, how soon, what was rejected. */
export default function TeamPage() {
  const url = useUrlFilters(["from", "to"]);
  const { filters, change } = url;
  const usual = spanOf("7");
  const from = filters.from === "" ? usual.from : filters.from;
  const to = filters.to === "" ? usual.to : filters.to;
  const preset = PRESETS.find(([key]) => spanOf(key).from === from && spanOf(key).to === to);
  const query = { from: startOfDay(from), to: startOfDay(to) };
  const path = "/desk/v1/statistics";
  const statistics = useRead<Statistics>("statistics", withQuery(path, query));
  return (
    <Page
      title="Team"
      actions={
        <ExportLinks fileAt={(format) => withQuery(`${path}/export`, { ...query, format })} />
      }
    >
      <Filters label="Choose the days" url={url}>
        <ChoiceFilter
          label="Days"
          any="Other days"
          value={preset?.[0] ?? ""}
          options={PRESETS}
          onChange={(key) => change(key === "" ? { from, to } : spanOf(key))}
        />
        <TextFilter
          label="From"
          type="date"
          value={from}
          onChange={(day) => change({ from: day })}
        />
        <TextFilter label="Before" type="date" value={to} onChange={(day) => change({ to: day })} />
      </Filters>
      <DataView query={statistics}>{(found) => <Figures statistics={found} />}</DataView>
    </Page>
  );
}

const PRESETS = [
  ["1", "Today"],
  ["7", "The last 7 days"],
  ["30", "The last 30 days"],
  ["90", "The last 90 days"],
  ["month", "This month"],
  ["before", "The month before"],
] as const;

/** The days of a preset, today included. */
function spanOf(key: string): { readonly from: string; readonly to: string } {
  const [month, before] = [`${dayOf(0).slice(0, 7)}-01`, `${monthBefore()}-01`];
  if (key === "month") return { from: month, to: dayOf(1) };
  if (key === "before") return { from: before, to: month };
  return { from: dayOf(1 - Number(key)), to: dayOf(1) };
}

function monthBefore(): string {
  return dayOf(-Number(dayOf(0).slice(8))).slice(0, 7);
}

function Figures({ statistics }: { readonly statistics: Statistics }) {
  const { time_to_first_decision: first, overdue, first_time_right: right } = statistics;
  return (
    <>
      <Card>
        <Facts
          facts={[
            ["First decision, median", span(first.median_seconds)],
            ["First decision, nine of ten within", span(first.p90_seconds)],
            ["Decided late", `${overdue.decided_late} of ${overdue.decided}`],
            ["Open and overdue", overdue.open],
            ["First time right", `${percent(right.share)} of ${right.orders} orders`],
          ]}
        />
      </Card>
      <Card title="Closed cases">
        <Table
          caption="Closed cases by day or week"
          columns={TREND_COLUMNS}
          rows={statistics.trend.map((step) => ({
            ...step,
            share: step.decided / Math.max(1, ...statistics.trend.map(({ decided }) => decided)),
          }))}
          keyOf={({ from }) => from}
        />
      </Card>
      <Card title="By operator">
        {statistics.operators.length === 0 ? (
          <Empty title="No case was closed in these days" />
        ) : (
          <Table
            caption="Cases by operator"
            columns={OPERATOR_COLUMNS}
            rows={statistics.operators}
            keyOf={({ operator }) => operator.id}
          />
        )}
      </Card>
      <Card title="What was rejected">
        {statistics.rejections.length === 0 ? (
          <Empty title="Nothing was rejected in these days" />
        ) : (
          <Table
            caption="Rejections by field and code"
            columns={REJECTION_COLUMNS}
            rows={statistics.rejections}
            keyOf={({ slug, code }) => `${slug} ${code}`}
          />
        )}
      </Card>
      <Card title="Orders created, by their status now">
        <Facts
          facts={statistics.orders_by_status.map(({ status, count }) => [
            STATUS_WORDS[status].name,
            count.toLocaleString(),
          ])}
        />
      </Card>
    </>
  );
}

type TrendRow = Statistics["trend"][number] & { readonly share: number };

const day = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
});

const TREND_COLUMNS: readonly Column<TrendRow>[] = [
  {
    title: "From",
    cell: ({ from }) => <span className="nowrap">{day.format(new Date(from))}</span>,
  },
  { title: "Closed", cell: ({ decided }) => decided, align: "right" },
  {
    title: "Trend",
    cell: ({ share }) => <meter className={styles["bar"]} value={share} aria-hidden="true" />,
    isMinor: true,
  },
  { title: "Rejected", cell: ({ rejected }) => rejected, align: "right" },
  { title: "Late", cell: ({ decided_late }) => decided_late, align: "right" },
  { title: "Median time", cell: ({ median_seconds }) => span(median_seconds), align: "right" },
];

const OPERATOR_COLUMNS: readonly Column<Statistics["operators"][number]>[] = [
  { title: "Operator", cell: ({ operator }) => operator.name },
  { title: "Closed", cell: ({ decided }) => decided, align: "right" },
  { title: "Confirmed", cell: ({ confirmed }) => confirmed, align: "right" },
  { title: "Rejected", cell: ({ rejected }) => rejected, align: "right" },
  { title: "Median time", cell: ({ median_seconds }) => span(median_seconds), align: "right" },
];

const REJECTION_COLUMNS: readonly Column<Statistics["rejections"][number]>[] = [
  { title: "Field", cell: ({ slug }) => fieldWords(slug) },
  { title: "Code", cell: ({ code }) => (code === null ? "no code" : <code>{code}</code>) },
  { title: "Times", cell: ({ count }) => count, align: "right" },
];
