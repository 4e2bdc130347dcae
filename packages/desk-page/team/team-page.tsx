import type { Statistics } from "../../../services/desk/statistics/answers.ts";
import { useRead } from "../../ui/http/read.ts";
import { withQuery } from "../../ui/http/request.ts";
import { Filters, Table, TextFilter, useUrlFilters, type Column } from "../../ui/list.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
import { spanText } from "../../ui/time-text.ts";
import { dayOf, startOfDay } from "../../ui/zoned-time.ts";
import { STATUS_WORDS } from "../orders/orders.ts";
import { fieldWords } from "../reviews/reviews.ts";

const DAYS_SHOWN = 7;

const span = (seconds: number | null): string =>
  seconds === null ? "–" : spanText(seconds * 1_000);
const percent = (share: number | null): string =>
  share === null ? "–" : `${Math.round(share * 100)} %`;

/** What the team did: cases, how soon, what was rejected. */
export default function TeamPage() {
  const url = useUrlFilters(["from", "to"]);
  const { filters, change } = url;
  const from = filters.from === "" ? dayOf(-DAYS_SHOWN) : filters.from;
  const to = filters.to === "" ? dayOf(1) : filters.to;
  const query = { from: startOfDay(from), to: startOfDay(to) };
  const statistics = useRead<Statistics>("statistics", withQuery("/desk/v1/statistics", query));
  return (
    <Page title="Team">
      <Filters label="Choose the days" url={url}>
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
