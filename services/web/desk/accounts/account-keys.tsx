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
import { Failure } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useIsShown } from "../../ui/use-is-shown.ts";
import { useMay } from "../session/session.ts";

type ApiKey = z.output<typeof apiKeyAnswer>;
type NewApiKey = z.output<typeof newApiKeyAnswer>;

/** An account's API keys; admins issue and revoke them for the customer. */
export function AccountKeys({ accountId }: { readonly accountId: string }) {
  const path = `/desk/v1/accounts/${accountId}/api_keys`;
  const list = useList<ApiKey>("accounts", path);
  const mayChange = useMay("admin");
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const issue = useCommand<NewApiKey>({ refreshes: ["accounts"] });
  const isShown = useIsShown();
  const toasts = useToasts();
  const onIssued = ({ prefix }: NewApiKey): void => {
    if (isShown()) return;
    toasts.notDone(
      `Nobody saw the key ${prefix}…`,
      "It was issued after you had left the account, and is shown once: revoke it, and issue another.",
    );
  };
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
      {issue.error !== null && <Failure error={issue.error} />}
      {mayChange && (
        <div>
          <Button
            isBusy={issue.isPending}
            onClick={() => issue.run({ path }, { onDone: onIssued })}
          >
            Issue a key
          </Button>
        </div>
      )}
      {issue.data !== undefined && (
        <SecretDialog
          title="A new API key"
          secrets={[["API key", issue.data.key]]}
          onClose={() => issue.reset()}
        />
      )}
      {revoked !== null && (
        <RevokeKey path={path} apiKey={revoked} onClose={() => setRevoked(null)} />
      )}
    </Card>
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
