import { useState, type SubmitEvent } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/use-command.ts";
import { Modal, ModalActions } from "../../ui/modal.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import type { AccountDetail } from "./account-page.tsx";

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
  const [name, setName] = useState(before);
  const rename = useCommand({ refreshes: ["accounts"] });
  const toasts = useToasts();
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    rename.run(
      { path: `/desk/v1/accounts/${id}`, method: "PATCH", body: { name: name.trim() } },
      { onDone: () => toasts.done(`The account is now ${name.trim()}`), whileShown: onClose },
    );
  };
  return (
    <Modal
      title={`Rename ${before}`}
      description="The customer sees the name in the portal. Orders, keys and webhooks stay as they are."
      onClose={onClose}
    >
      <form id="rename-account" onSubmit={onSubmit}>
        <Field label="Name" hint="1 to 128 characters" error={rename.error?.message ?? null}>
          {(control) => (
            <input
              {...control}
              required
              maxLength={128}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </form>
      <ModalActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          form="rename-account"
          kind="primary"
          isBusy={rename.isPending}
          disabled={name.trim() === "" || name.trim() === before}
        >
          Rename
        </Button>
      </ModalActions>
    </Modal>
  );
}
