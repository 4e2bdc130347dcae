import { Link } from "wouter";
import { BulkBar, useBulk } from "../../ui/bulk.tsx";
import { Button } from "../../ui/button.tsx";
import { useCountedList } from "../../ui/http/read.ts";
import { ROW_LINK, useRowKeys } from "../../ui/keys.ts";
import {
  ChoiceFilter,
  Filters,
  ListSummary,
  ListView,
  useUrlFilters,
  type Column,
} from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { useSelection } from "../../ui/selection.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { EndpointState } from "../../ui/webhooks/endpoint-facts.tsx";
import { AccountFilter } from "../accounts/account-filter.tsx";
import { useMay } from "../session.ts";
import { SavedViews } from "../views/saved-views.tsx";
import { DESK, ENDPOINTS_PATH, type Endpoint } from "./webhooks.ts";

/** Webhook endpoints over all accounts: which fail, since when, what waits. */
export default function WebhooksPage() {
  const url = useUrlFilters(["failing", "account_id"]);
  const { filters, of, isFiltered } = url;
  const query = { ...filters, ...url.page };
  const list = useCountedList<Endpoint>("webhooks", ENDPOINTS_PATH, query);
  const mayResume = useMay("lead");
  const rows = list.page.data?.data ?? [];
  const selection = useSelection(rows.map(({ id }) => id));
  const nameOf = (id: string): string => rows.find((one) => one.id === id)?.url ?? id;
  const bulk = useBulk({ selection, one: "endpoint", nameOf, refreshes: ["webhooks"] });
  const resume = (): void =>
    bulk.start({
      verb: "Resume",
      done: "resumed",
      commandFor: (id) => ({ path: `${ENDPOINTS_PATH}/${id}/resume` }),
    });
  useRowKeys();
  return (
    <Page title="Webhooks">
      <SavedViews screen="webhooks" />
      <Filters label="Filter endpoints" url={url}>
        <ChoiceFilter
          label="State"
          any="Any"
          options={[["true", "Failing or paused after failures"]]}
          {...of("failing")}
        />
        <AccountFilter {...of("account_id")} />
      </Filters>
      <ListView
        query={list.page}
        summary={
          <ListSummary list={list} one="endpoint">
            <BulkBar selection={selection}>
              <Button onClick={resume}>Resume</Button>
            </BulkBar>
          </ListSummary>
        }
        selecting={mayResume ? { selection, nameOf: ({ url: address }) => address } : undefined}
        caption="Webhook endpoints"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty title={isFiltered ? "No endpoint matches" : "No endpoints yet"}>
            {filters.failing === "true"
              ? "No webhook endpoint fails."
              : "Customers create them for themselves."}
          </Empty>
        }
      />
      {bulk.dialog}
    </Page>
  );
}

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: "URL",
    cell: ({ id, url, account }) => (
      <>
        <Link {...ROW_LINK} href={DESK.endpointPage(id)} className="as-written">
          {url}
        </Link>
        <span className="under">{account.name}</span>
      </>
    ),
    copies: ["the endpoint’s id", ({ id }) => id],
  },
  {
    title: "State",
    cell: (endpoint) => <EndpointState endpoint={endpoint} customer="the customer" />,
  },
  {
    title: "Failing since",
    cell: ({ failing_since }) => <Time at={failing_since} form="past" />,
    isMinor: true,
  },
  {
    title: "Oldest undelivered",
    cell: ({ oldest_undelivered: oldest }) => <Time at={oldest?.created_at} form="past" />,
    isMinor: true,
  },
  {
    title: "Last error",
    cell: ({ last_error: error, paused_reason }) => paused_reason ?? error?.message ?? "–",
    isMinor: true,
  },
];
