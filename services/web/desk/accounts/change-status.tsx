import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Field } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/use-command.ts";
import { useToasts } from "../../ui/toasts.tsx";
import type { AccountDetail } from "./account-page.tsx";

/** Suspends an account, or reinstates it. */
export function ChangeStatus({ account }: { readonly account: AccountDetail }) {
  const { id, name, status } = account;
  const isActive = status === "active";
  const [isAsking, setIsAsking] = useState(false);
  const [reason, setReason] = useState("");
  const command = useCommand({ refreshes: ["accounts"] });
  const toasts = useToasts();
  const onConfirm = (): void => {
    const path = `/desk/v1/accounts/${id}/${isActive ? "suspend" : "reinstate"}`;
    command.mutate(isActive ? { path, body: { reason } } : { path }, {
      onSuccess: () => {
        toasts.done(isActive ? `${name} is suspended` : `${name} is reinstated`);
        setIsAsking(false);
        setReason("");
      },
    });
  };
  return (
    <>
      <Button kind={isActive ? "danger" : "primary"} onClick={() => setIsAsking(true)}>
        {isActive ? "Suspend" : "Reinstate"}
      </Button>
      {isAsking && (
        <Confirm
          title={isActive ? `Suspend ${name}?` : `Reinstate ${name}?`}
          verb={isActive ? "Suspend" : "Reinstate"}
          isDangerous={isActive}
          isReady={!isActive || reason.trim() !== ""}
          isBusy={command.isPending}
          error={command.error}
          onConfirm={onConfirm}
          onClose={() => setIsAsking(false)}
        >
          {isActive ? (
            <>
              <p>
                Every request of the account is refused at once, and its webhooks wait. Its orders
                go on.
              </p>
              <Field label="Reason" hint="For the audit log; up to 1,000 characters">
                {(control) => (
                  <textarea
                    {...control}
                    rows={3}
                    maxLength={1_000}
                    value={reason}
                    onChange={(event) => setReason(event.target.value)}
                  />
                )}
              </Field>
            </>
          ) : (
            <p>Its keys work again at once, and the webhooks that waited are delivered.</p>
          )}
        </Confirm>
      )}
    </>
  );
}
