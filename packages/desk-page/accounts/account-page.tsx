import { Link } from "wouter";
import type { z } from "zod";
import { useState } from "react";
import type { accountDetailAnswer } from "../../../services/desk/accounts/answers.ts";
import type {
  apiKeyAnswer,
  newApiKeyAnswer,
} from "../../../services/domain/account/answers/api-key-answer.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { CopiedId } from "../../ui/copy.tsx";
import { useCommand, useIsShown } from "../../ui/http/command.ts";
import { useList, useRead } from "../../ui/http/read.ts";
import { Table, type Column } from "../../ui/list.tsx";
import { Confirm, SecretDialog } from "../../ui/modal.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { DataView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { ImportNumbers } from "../numbers/import-numbers.tsx";
import { STATUS_WORDS } from "../orders/orders.ts";
import type { ScreenProps } from "../screens.tsx";
import { useMay } from "../session.ts";
import { AccountNotices } from "./account-notices.tsx";
import { AccountStatus, NameDialog } from "./accounts-page.tsx";

type ApiKey = z.output<typeof apiKeyAnswer>;
type NewApiKey = z.output<typeof newApiKeyAnswer>;

/** An account's API keys; admins issue and revoke them for the customer. */
function AccountKeys({ accountId }: { readonly accountId: string }) {
  const path = `/desk/v1/accounts/${accountId}/api_keys`;
  const list = useList<ApiKey>("accounts", path);
  const mayChange = useMay("admin");
  const [isIssuing, setIsIssuing] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  return (
    <Card title="API keys">
      <DataView query={list}>
        {({ data }) => (
          <Table
            caption="API keys of the account"
            columns={[...COLUMNS, ...(mayChange ? [revokeColumn(setRevoked)] : [])]}
            rows={data}
            keyOf={({ id }) => id}
          />
        )}
      </DataView>
      {mayChange && (
        <div>
          <Button onClick={() => setIsIssuing(true)}>Issue a key</Button>
        </div>
      )}
      {isIssuing && <IssueKey path={path} onClose={() => setIsIssuing(false)} />}
      {revoked !== null && (
        <RevokeKey path={path} apiKey={revoked} onClose={() => setRevoked(null)} />
      )}
    </Card>
  );
}

function IssueKey({ path, onClose }: { path: string; onClose: () => void }) {
  const issue = useCommand<NewApiKey>({ refreshes: ["accounts"] });
  const isShown = useIsShown();
  const toasts = useToasts();
  if (issue.data !== undefined) {
    const secrets = [["API key", issue.data.key]] as const;
    return <SecretDialog title="A new API key" {...{ secrets, onClose }} />;
  }
  const onIssued = ({ prefix }: NewApiKey): void => {
    if (isShown()) return;
    toasts.notDone(
      `Nobody saw the key ${prefix}…`,
      "It was issued after you had left the account, and is shown once: revoke it, and issue another.",
    );
  };
  return (
    <NameDialog
      title="Issue a key"
      hint="Optional, to tell keys apart, such as production"
      verb="Issue"
      longest={64}
      isOptional
      isHeld
      command={issue}
      onName={(typed) => {
        const name = typed.trim();
        issue.run({ path, body: name === "" ? {} : { name } }, { onDone: onIssued });
      }}
      onClose={onClose}
    />
  );
}

interface RevokeKeyProps {
  readonly path: string;
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

function RevokeKey({ path, apiKey: { id, prefix }, onClose }: RevokeKeyProps) {
  const revoke = useCommand({ refreshes: ["accounts"] });
  const toasts = useToasts();
  const onConfirm = (): void =>
    revoke.run(
      { path: `${path}/${id}`, method: "DELETE" },
      { onDone: () => toasts.done(`The key ${prefix}… is revoked`), whileShown: onClose },
    );
  return (
    <Confirm
      title={`Revoke ${prefix}…?`}
      verb="Revoke"
      isDangerous
      isBusy={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>Programs of the customer that use this key are refused from their next request on.</p>
    </Confirm>
  );
}

const COLUMNS: readonly Column<ApiKey>[] = [
  { title: "Key", cell: ({ prefix }) => <code>{prefix}…</code> },
  { title: "Name", cell: ({ name }) => name ?? "–" },
  { title: "Issued", cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: "Last used",
    cell: ({ last_used_at }) =>
      last_used_at === null ? "Never" : <Time at={last_used_at} form="past" />,
  },
  {
    title: "State",
    cell: ({ revoked_at }) =>
      revoked_at === null ? (
        <Badge tone="good">active</Badge>
      ) : (
        <Badge tone="neutral">revoked</Badge>
      ),
  },
];

function revokeColumn(onRevoke: (key: ApiKey) => void): Column<ApiKey> {
  return {
    title: "",
    cell: (key) =>
      key.revoked_at === null && (
        <Button kind="quiet" aria-label={`Revoke ${key.prefix}`} onClick={() => onRevoke(key)}>
          Revoke
        </Button>
      ),
    align: "right",
  };
}

export type AccountDetail = z.output<typeof accountDetailAnswer>;

/** One customer: status, what it has open, its keys. */
export default function AccountPage({ params: { id = "" } }: ScreenProps) {
  const account = useRead<AccountDetail>("accounts", `/desk/v1/accounts/${id}`);
  return <DataView query={account}>{(found) => <Account account={found} />}</DataView>;
}

function Account({ account }: { readonly account: AccountDetail }) {
  const { id, name, status, created_at, suspension, counts } = account;
  const mayChange = useMay("admin");
  const mayImport = useMay("lead");
  return (
    <Page
      title={name}
      actions={
        mayImport && (
          <>
            <ImportNumbers account={account} />
            {mayChange && <RenameAccount account={account} />}
            {mayChange && <ChangeStatus account={account} />}
          </>
        )
      }
    >
      <Card>
        <Facts
          facts={[
            ["Status", <AccountStatus key="status" status={status} />],
            ["Since", <Time key="since" at={created_at} />],
            ["Id", <CopiedId key="id" value={id} what="the account’s id" />],
            ...(suspension === null
              ? []
              : ([
                  ["Suspended by", suspension.operator.name],
                  ["Suspended", <Time key="at" at={suspension.at} form="past" />],
                  ["Reason", suspension.reason],
                ] as const)),
          ]}
        />
      </Card>
      <Card title="At a glance">
        <Facts
          facts={[
            [
              "Open cases",
              <Link key="cases" href={`/reviews?view=all&account_id=${id}`}>
                {counts.open_cases}
              </Link>,
            ],
            ["Numbers", <LinkTo key="numbers" screen="numbers" id={id} count={counts.numbers} />],
            [
              "Open port-outs",
              <LinkTo key="out" screen="port-outs" id={id} count={counts.open_port_outs} />,
            ],
            [
              "Webhook endpoints",
              <Link key="webhooks" href={`/webhooks?account_id=${id}`}>
                {`${counts.webhook_endpoints}, ${counts.paused_webhook_endpoints} paused`}
              </Link>,
            ],
            [
              "Waiting deliveries",
              <Link key="deliveries" href={`/deliveries?account_id=${id}`}>
                {counts.waiting_deliveries.toLocaleString()}
              </Link>,
            ],
            [
              "Actions",
              <Link key="audit" href={`/audit?account_id=${id}`}>
                Audit log
              </Link>,
            ],
          ]}
        />
      </Card>
      <Card title="Orders by status">
        <Facts
          facts={counts.orders_by_status.map(({ status: one, count }) => [
            STATUS_WORDS[one].name,
            <Link key={one} href={`/orders?account=${id}&status=${one}`}>
              {count.toLocaleString()}
            </Link>,
          ])}
        />
        {counts.orders_by_status.length === 0 && <p>It has no orders yet.</p>}
      </Card>
      <AccountNotices accountId={id} />
      <AccountKeys accountId={id} />
    </Page>
  );
}

function LinkTo({ screen, id, count }: { screen: string; id: string; count: number }) {
  return <Link href={`/${screen}?account=${id}`}>{count.toLocaleString()}</Link>;
}

interface StatusProps {
  readonly account: AccountDetail;
}

/** Suspends an account, or reinstates it. */
export function ChangeStatus({ account }: StatusProps) {
  const isActive = account.status === "active";
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button kind={isActive ? "danger" : "primary"} onClick={() => setIsAsking(true)}>
        {isActive ? "Suspend" : "Reinstate"}
      </Button>
      {isAsking && <StatusDialog account={account} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function StatusDialog({ account, onClose }: StatusProps & { readonly onClose: () => void }) {
  const { id, name } = account;
  // What it asks stays as it is, though the account is fetched again.
  const [isActive] = useState(account.status === "active");
  const { text: reason, write } = useDraft(`suspend:${id}`);
  const command = useCommand({ refreshes: ["accounts"] });
  const toasts = useToasts();
  const onConfirm = (): void => {
    const path = `/desk/v1/accounts/${id}/${isActive ? "suspend" : "reinstate"}`;
    command.run(isActive ? { path, body: { reason } } : { path }, {
      onDone: () => {
        write("");
        toasts.done(isActive ? `${name} is suspended` : `${name} is reinstated`);
      },
      whileShown: onClose,
    });
  };
  const verb = isActive ? "Suspend" : "Reinstate";
  return (
    <Confirm
      title={`${verb} ${name}?`}
      verb={verb}
      isDangerous={isActive}
      isReady={!isActive || reason.trim() !== ""}
      isBusy={command.isPending}
      error={command.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {isActive ? (
        <>
          <p>
            Every request of the account is refused at once, and its webhooks wait. Its orders go
            on.
          </p>
          <TextArea
            label="Reason"
            hint="For the audit log; up to 1,000 characters"
            rows={3}
            maxLength={1_000}
            value={reason}
            onChange={write}
          />
        </>
      ) : (
        <p>Its keys work again at once, and the webhooks that waited are delivered.</p>
      )}
    </Confirm>
  );
}

interface RenameProps {
  readonly account: Pick<AccountDetail, "id" | "name">;
}

export function RenameAccount({ account }: RenameProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>Rename</Button>
      {isAsking && <RenameDialog account={account} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function RenameDialog({ account, onClose }: RenameProps & { readonly onClose: () => void }) {
  // What it is about stays as it is, though the account is fetched again.
  const [{ id, name: before }] = useState(account);
  const rename = useCommand({ refreshes: ["accounts"] });
  const toasts = useToasts();
  return (
    <NameDialog
      title={`Rename ${before}`}
      hint="The customer sees it in the portal; 1 to 128 characters"
      verb="Rename"
      longest={128}
      before={before}
      command={rename}
      onName={(name) =>
        rename.run(
          { path: `/desk/v1/accounts/${id}`, method: "PATCH", body: { name } },
          { onDone: () => toasts.done(`The account is now ${name}`), whileShown: onClose },
        )
      }
      onClose={onClose}
    />
  );
}
