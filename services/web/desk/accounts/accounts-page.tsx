import { useState, type SubmitEvent } from "react";
import { Link } from "wouter";
import type { z } from "zod";
import type { accountAnswer, newAccountAnswer } from "../../../desk/accounts/answers.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { useList } from "../../ui/http/read.ts";
import { withQuery } from "../../ui/http/request.ts";
import { ROW_LINK, useRowKeys } from "../../ui/keys.ts";
import {
  ChoiceFilter,
  Filters,
  Paging,
  Table,
  TextFilter,
  useUrlFilters,
  type Column,
} from "../../ui/list.tsx";
import { Modal, ModalActions, SecretDialog } from "../../ui/modal.tsx";
import { Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useMay } from "../session.ts";

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
  const isLocked = isHeld && command.isPending;
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    onName(name);
  };
  return (
    <Modal title={title} isHeld={isLocked} onClose={onClose}>
      <form id="name" onSubmit={onSubmit}>
        <Field label="Name" hint={hint} error={command.error?.message ?? null}>
          {(control) => (
            <input
              {...control}
              required={!isOptional}
              maxLength={longest}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </form>
      <ModalActions>
        <Button onClick={onClose} disabled={isLocked}>
          Cancel
        </Button>
        <Button
          type="submit"
          form="name"
          kind="primary"
          isBusy={command.isPending}
          disabled={before !== "" && name.trim() === before}
        >
          {verb}
        </Button>
      </ModalActions>
    </Modal>
  );
}
