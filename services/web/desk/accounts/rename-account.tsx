import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { useCommand } from "../../ui/http/use-command.ts";
import { useToasts } from "../../ui/toasts.tsx";
import type { AccountDetail } from "./account-page.tsx";
import { NameDialog } from "./name-dialog.tsx";

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
