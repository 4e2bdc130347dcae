import { useState } from "react";
import type { z } from "zod";
import type {
  apiKeyAnswer,
  newApiKeyAnswer,
} from "../../../domain/account/answers/api-key-answer.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { useCommand } from "../../ui/http/use-command.ts";
import { useList } from "../../ui/http/use-read.ts";
import { Card } from "../../ui/page.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useIsShown } from "../../ui/use-is-shown.ts";
import { useMay } from "../session/session.ts";
import { NameDialog } from "./name-dialog.tsx";

type ApiKey = z.output<typeof apiKeyAnswer>;
type NewApiKey = z.output<typeof newApiKeyAnswer>;

/** An account's API keys; admins issue and revoke them for the customer. */
export function AccountKeys({ accountId }: { readonly accountId: string }) {
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

interface IssueKeyProps {
  readonly path: string;
  readonly onClose: () => void;
}

function IssueKey({ path, onClose }: IssueKeyProps) {
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
