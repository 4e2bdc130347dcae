import { Link } from "wouter";
import type { z } from "zod";
import type { deskEndpointAnswer } from "../../../services/desk/webhooks/answers.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { BulkBar, useBulk } from "../../ui/bulk.tsx";
import { Button } from "../../ui/button.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { useCountedList } from "../../ui/http/read.ts";
import {
  ChoiceFilter,
  Filters,
  ListSummary,
  ListView,
  useUrlFilters,
  WholeFilter,
  type Column,
} from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { useSelection } from "../../ui/selection.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useMay } from "../session.ts";
import { SavedViews } from "../views/saved-views.tsx";

type Endpoint = z.output<typeof deskEndpointAnswer>;

const TONES: Readonly<Record<Endpoint["status"], Tone>> = {
  ok: "good",
  failing: "bad",
  paused: "warning",
};

/** Webhook endpoints over all accounts: which fail, since when, what waits. */
export default function WebhooksPage() {
  const url = useUrlFilters(["failing", "account_id"]);
  const { filters, of, isFiltered } = url;
  const query = { ...filters, ...url.page };
  const list = useCountedList<Endpoint>("webhooks", "/desk/v1/webhook_endpoints", query);
  const mayResume = useMay("lead");
  const rows = list.page.data?.data ?? [];
  const selection = useSelection(rows.map(({ id }) => id));
  const nameOf = (id: string): string => rows.find((one) => one.id === id)?.url ?? id;
  const bulk = useBulk({ selection, one: "endpoint", nameOf, refreshes: ["webhooks"] });
  const resume = (): void =>
    bulk.start({
      verb: "Resume",
      done: "resumed",
      commandFor: (id) => ({ path: `/desk/v1/webhook_endpoints/${id}/resume` }),
    });
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
        <WholeFilter label="Account id" {...of("account_id")} />
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
        columns={mayResume ? [...COLUMNS, RESUME] : COLUMNS}
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
    title: "Account",
    cell: ({ account }) => <Link href={`/accounts/${account.id}`}>{account.name}</Link>,
  },
  {
    title: "URL",
    cell: ({ url }) => <code>{url}</code>,
    copies: ["the endpoint’s id", ({ id }) => id],
  },
  {
    title: "State",
    cell: ({ status, paused_by }) => (
      <Badge tone={TONES[status]}>
        {paused_by === null ? status : `${status} by the ${paused_by}`}
      </Badge>
    ),
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

const RESUME: Column<Endpoint> = {
  title: "",
  cell: (endpoint) => endpoint.status === "paused" && <ResumeButton endpoint={endpoint} />,
  align: "right",
};

function ResumeButton({ endpoint: { id, url } }: { readonly endpoint: Endpoint }) {
  const command = useCommand({ refreshes: ["webhooks"] });
  const toasts = useToasts();
  const onClick = (): void =>
    command.run(
      { path: `/desk/v1/webhook_endpoints/${id}/resume` },
      {
        onDone: () => toasts.done("The endpoint is resumed", "What waits is delivered now."),
        onFailed: toasts.failed,
      },
    );
  return (
    <Button isBusy={command.isPending} aria-label={`Resume ${url}`} onClick={onClick}>
      Resume
    </Button>
  );
}
