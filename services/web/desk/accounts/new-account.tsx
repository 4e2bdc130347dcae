import { useState } from "react";
import type { z } from "zod";
import type { newAccountAnswer } from "../../../requirement-review/accounts/answers.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/use-command.ts";
import { Modal, ModalActions } from "../../ui/modal.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";

type NewAccountAnswer = z.output<typeof newAccountAnswer>;

export function NewAccount({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const create = useCommand<NewAccountAnswer>({ refreshes: ["accounts"] });
  if (create.data !== undefined) {
    const { api_key, webhook_signing_secret } = create.data;
    const secrets = [
      ["API key", api_key],
      ["Webhook signing secret, for orders' own webhook_url", webhook_signing_secret],
    ] as const;
    return <SecretDialog title={`${create.data.name} is created`} {...{ secrets, onClose }} />;
  }
  const onSubmit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    create.run({ path: "/desk/v1/accounts", body: { name } });
  };
  return (
    <Modal title="Create an account" isHeld={create.isPending} onClose={onClose}>
      <form id="new-account" onSubmit={onSubmit}>
        <Field
          label="Name"
          hint="The customer's company, 1 to 128 characters"
          error={create.error?.message ?? null}
        >
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
        <Button onClick={onClose} disabled={create.isPending}>
          Cancel
        </Button>
        <Button type="submit" form="new-account" kind="primary" isBusy={create.isPending}>
          Create
        </Button>
      </ModalActions>
    </Modal>
  );
}
