import { Link } from "wouter";
import type { z } from "zod";
import type { deskEndpointAnswer } from "../../../desk/webhooks/answers.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { useList } from "../../ui/http/read.ts";
import { withQuery } from "../../ui/http/request.ts";
import {
  ChoiceFilter,
  Filters,
  Paging,
  Table,
  useUrlFilters,
  WholeFilter,
  type Column,
} from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useMay } from "../session.ts";

type Endpoint = z.output<typeof deskEndpointAnswer>;

const TONES: Readonly<Record<Endpoint["status"], Tone>> = {
  ok: "good",
  failing: "bad",
  paused: "warning",
};

/** Webhook endpoints over all accounts: which fail, since when, what waits. */
export default function WebhooksPage() {
  const { filters, change, clear, isFiltered, after } = useUrlFilters(["failing", "account_id"]);
  const query = { ...filters, starting_after: after, limit: 50 };
  const list = useList<Endpoint>("webhooks", withQuery("/desk/v1/webhook_endpoints", query));
  const mayResume = useMay("lead");
  return (
    <Page title="Webhooks">
      <Filters label="Filter endpoints" isFiltered={isFiltered} onClear={clear}>
        <ChoiceFilter
          label="State"
          value={filters.failing}
          onChange={(failing) => change({ failing })}
        >
          <option value="">Any</option>
          <option value="true">Failing or paused after failures</option>
        </ChoiceFilter>
        <WholeFilter
          label="Account id"
          value={filters.account_id}
          onCommit={(id) => change({ account_id: id })}
        />
      </Filters>
      <DataView query={list}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty title={isFiltered ? "No endpoint matches" : "No endpoints yet"}>
              {filters.failing === "true"
                ? "No webhook endpoint fails."
                : "Customers create them for themselves."}
            </Empty>
          ) : (
            <>
              <Table
                caption="Webhook endpoints"
                columns={mayResume ? [...COLUMNS, RESUME] : COLUMNS}
                rows={data}
                keyOf={({ id }) => id}
              />
              <Paging last={data.at(-1)?.id} hasMore={has_more} />
            </>
          )
        }
      </DataView>
    </Page>
  );
}

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: "Account",
    cell: ({ account }) => <Link href={`/accounts/${account.id}`}>{account.name}</Link>,
  },
  { title: "URL", cell: ({ url }) => <code>{url}</code> },
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
