import type { z } from "zod";
import type { newAccountAnswer } from "../../../desk/accounts/answers.ts";
import { useCommand } from "../../ui/http/use-command.ts";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { NameDialog } from "./name-dialog.tsx";

type NewAccountAnswer = z.output<typeof newAccountAnswer>;

export function NewAccount({ onClose }: { readonly onClose: () => void }) {
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
