import { useState } from "react";
import { Link } from "wouter";
import type { z } from "zod";
import type { accountAnswer, newAccountAnswer } from "../../../services/desk/accounts/answers.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { useCountedList } from "../../ui/http/read.ts";
import { ROW_LINK, useRowKeys } from "../../ui/keys.ts";
import {
  ChoiceFilter,
  Filters,
  ListSummary,
  ListView,
  TextFilter,
  useUrlFilters,
  type Column,
} from "../../ui/list.tsx";
import { FormModal, SecretDialog } from "../../ui/modal.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useAdding } from "../adding.ts";
import { useMay } from "../session.ts";
import { SavedViews } from "../views/saved-views.tsx";

type Account = z.output<typeof accountAnswer>;

const COLUMNS: readonly Column<Account>[] = [
  {
    title: "Name",
    sort: "name",
    cell: ({ id, name }) => (
      <Link href={`/accounts/${id}`} {...ROW_LINK}>
        {name}
      </Link>
    ),
  },
  { title: "Status", cell: ({ status }) => <AccountStatus status={status} /> },
  { title: "Since", cell: ({ created_at }) => <Time at={created_at} />, sort: "created_at" },
  {
    title: "Id",
    cell: ({ id }) => <code>{id}</code>,
    copies: ["the account’s id", ({ id }) => id],
    isMinor: true,
  },
];

export function AccountStatus({ status }: Pick<Account, "status">) {
  return <Badge tone={status === "active" ? "good" : "bad"}>{status}</Badge>;
}

/** The customers' accounts. */
export default function AccountsPage() {
  const url = useUrlFilters(["q", "status"]);
  const { filters, of, change } = url;
  const query = { ...filters, ...url.page };
  const list = useCountedList<Account>("accounts", "/desk/v1/accounts", query);
  const [isAdding, setIsAdding] = useAdding();
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
      <SavedViews screen="accounts" />
      <Filters label="Filter accounts" url={url}>
        <TextFilter
          label="Name or id"
          value={filters.q}
          onChange={(q) => change({ q }, { replace: true })}
        />
        <ChoiceFilter
          label="Status"
          any="Any"
          options={[
            ["active", "Active"],
            ["suspended", "Suspended"],
          ]}
          {...of("status")}
        />
      </Filters>
      <ListView
        query={list.page}
        summary={<ListSummary list={list} one="account" />}
        sorting={url.sorting}
        caption="Accounts"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={<Empty title="No account matches">Check the spelling, or clear the filters.</Empty>}
      />
      {isAdding && mayAdd && <NewAccount onClose={() => setIsAdding(false)} />}
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

interface NameDialogProps {
  readonly title: string;
  readonly hint: string;
  /** The verb of the button: `Rename`. */
  readonly verb: string;
  readonly longest: number;
  readonly isOptional?: boolean;
  readonly before?: string;
  /** Nothing closes it while it is under way, because its answer is shown once. */
  readonly isHeld?: boolean;
  readonly command: { readonly isPending: boolean; readonly error: Error | null };
  /** With the name as it was typed. */
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of an account or a key. */
export function NameDialog(props: NameDialogProps) {
  const { title, hint, verb, longest, isOptional = false, before = "" } = props;
  const { isHeld = false, command, onName, onClose } = props;
  const [name, setName] = useState(before);
  return (
    <FormModal
      title={title}
      verb={verb}
      isHeld={isHeld && command.isPending}
      isBusy={command.isPending}
      isReady={before === "" || name.trim() !== before}
      onSubmit={() => onName(name)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint={hint}
        error={command.error?.message}
        required={!isOptional}
        maxLength={longest}
        value={name}
        onChange={setName}
      />
    </FormModal>
  );
}
