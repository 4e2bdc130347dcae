import { useState } from "react";
import { Link } from "wouter";
import type { z } from "zod";
import type { accountAnswer, newAccountAnswer } from "../../../desk/accounts/answers.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { ChoiceFilter, Filters, TextFilter } from "../../ui/filters.tsx";
import { withQuery } from "../../ui/http/request.ts";
import { useCommand } from "../../ui/http/use-command.ts";
import { useList } from "../../ui/http/use-read.ts";
import { ROW_LINK, useRowKeys } from "../../ui/keys/use-row-keys.ts";
import { Page } from "../../ui/page.tsx";
import { Paging } from "../../ui/paging.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useUrlFilters } from "../../ui/use-url-filters.ts";
import { useMay } from "../session/session.ts";
import { NameDialog } from "./name-dialog.tsx";

type Account = z.output<typeof accountAnswer>;

const COLUMNS: readonly Column<Account>[] = [
  {
    title: "Name",
    cell: ({ id, name }) => (
      <Link href={`/accounts/${id}`} {...ROW_LINK}>
        {name}
      </Link>
    ),
  },
  { title: "Status", cell: ({ status }) => <AccountStatus status={status} /> },
  { title: "Since", cell: ({ created_at }) => <Time at={created_at} /> },
  { title: "Id", cell: ({ id }) => <code>{id}</code>, isMinor: true },
];

export function AccountStatus({ status }: Pick<Account, "status">) {
  return <Badge tone={status === "active" ? "good" : "bad"}>{status}</Badge>;
}

/** The customers' accounts. */
export default function AccountsPage() {
  const { filters, change, clear, isFiltered, after } = useUrlFilters(["q", "status"]);
  const query = { ...filters, starting_after: after, limit: 50 };
  const list = useList<Account>("accounts", withQuery("/desk/v1/accounts", query));
  const [isAdding, setIsAdding] = useState(false);
  const mayAdd = useMay("admin");
  useRowKeys();
  return (
    <Page
      title="Accounts"
      actions={
        mayAdd && (
          <Button kind="primary" onClick={() => setIsAdding(true)}>
            Create an account
          </Button>
        )
      }
    >
      <Filters label="Filter accounts" isFiltered={isFiltered} onClear={clear}>
        <TextFilter
          label="Name or id"
          value={filters.q}
          onChange={(q) => change({ q }, { replace: true })}
        />
        <ChoiceFilter
          label="Status"
          value={filters.status}
          onChange={(status) => change({ status })}
        >
          <option value="">Any</option>
          <option value="active">Active</option>
          <option value="suspended">Suspended</option>
        </ChoiceFilter>
      </Filters>
      <DataView query={list}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty title="No account matches">Check the spelling, or clear the filters.</Empty>
          ) : (
            <>
              <Table caption="Accounts" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
              <Paging last={data.at(-1)?.id} hasMore={has_more} />
            </>
          )
        }
      </DataView>
      {isAdding && <NewAccount onClose={() => setIsAdding(false)} />}
    </Page>
  );
}

type NewAccountAnswer = z.output<typeof newAccountAnswer>;

function NewAccount({ onClose }: { readonly onClose: () => void }) {
  const create = useCommand<NewAccountAnswer>({ refreshes: ["accounts"] });
  if (create.data !== undefined) {
    const { api_key, webhook_signing_secret } = create.data;
    const secrets = [
      ["API key", api_key],
      ["Webhook signing secret, for orders' own webhook_url", webhook_signing_secret],
    ] as const;
    return <SecretDialog title={`${create.data.name} is created`} {...{ secrets, onClose }} />;
  }
  return (
    <NameDialog
      title="Create an account"
      hint="The customer's company, 1 to 128 characters"
      verb="Create"
      longest={128}
      isHeld
      command={create}
      onName={(name) => create.run({ path: "/desk/v1/accounts", body: { name } })}
      onClose={onClose}
    />
  );
}
