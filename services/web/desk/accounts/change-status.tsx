import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Field } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/use-command.ts";
import { useToasts } from "../../ui/toasts.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import type { AccountDetail } from "./account-page.tsx";

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
          <Field label="Reason" hint="For the audit log; up to 1,000 characters">
            {(control) => (
              <textarea
                {...control}
                rows={3}
                maxLength={1_000}
                value={reason}
                onChange={(event) => write(event.target.value)}
              />
            )}
          </Field>
        </>
      ) : (
        <p>Its keys work again at once, and the webhooks that waited are delivered.</p>
      )}
    </Confirm>
  );
}
