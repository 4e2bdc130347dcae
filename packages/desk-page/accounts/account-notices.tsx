import type { z } from "zod";
import { useState } from "react";
import type { noticeSettingsAnswer } from "../../../services/desk/accounts/answers.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { useRead } from "../../ui/http/read.ts";
import { faultAt, otherFaults } from "../../ui/http/request.ts";
import { FormModal } from "../../ui/modal.tsx";
import { Card, Facts } from "../../ui/page.tsx";
import { DataView } from "../../ui/states.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useMay } from "../session.ts";

type Settings = z.output<typeof noticeSettingsAnswer>;
type Kind = keyof Settings["kinds"];

const KIND_WORDS: readonly (readonly [Kind, string])[] = [
  ["fix_needed", "Rejected orders"],
  ["date_confirmed", "Confirmed port dates"],
  ["numbers_live", "Live numbers"],
  ["port_out_decision", "Port-outs to decide"],
  ["endpoint_paused", "Paused webhook endpoints"],
];

/** Who gets an account's notices by mail, and which; admins enter the addresses for the customer. */
export function AccountNotices({ accountId }: { readonly accountId: string }) {
  const path = `/desk/v1/accounts/${accountId}/notice_settings`;
  const settings = useRead<Settings>("accounts", path);
  const mayChange = useMay("admin");
  const [changed, setChanged] = useState<Settings | null>(null);
  return (
    <Card title="Notices by mail">
      <DataView query={settings}>
        {(found) => (
          <>
            <Facts
              facts={[
                ["Addresses", found.emails.length === 0 ? "None" : found.emails.join(", ")],
                ["About", wordsOf(found)],
              ]}
            />
            {mayChange && (
              <div>
                <Button onClick={() => setChanged(found)}>Change the notices</Button>
              </div>
            )}
          </>
        )}
      </DataView>
      {changed !== null && (
        <NoticesDialog path={path} before={changed} onClose={() => setChanged(null)} />
      )}
    </Card>
  );
}

function wordsOf({ kinds }: Settings): string {
  const words = KIND_WORDS.filter(([kind]) => kinds[kind]).map(([, text]) => text);
  return words.length === 0 ? "Nothing" : words.join(", ");
}

interface NoticesDialogProps {
  readonly path: string;
  readonly before: Settings;
  readonly onClose: () => void;
}

function NoticesDialog({ path, before, onClose }: NoticesDialogProps) {
  const [addresses, setAddresses] = useState(before.emails.join("\n"));
  const [kinds, setKinds] = useState(before.kinds);
  const change = useCommand({ refreshes: ["accounts"] });
  const toasts = useToasts();
  const onSubmit = (): void => {
    const emails = addresses.split(/[\s,;]+/).filter((text) => text !== "");
    change.run(
      { path, method: "PATCH", body: { emails, kinds } },
      { onDone: () => toasts.done("The notices are changed"), whileShown: onClose },
    );
  };
  return (
    <FormModal
      title="Notices by mail"
      verb="Save"
      isBusy={change.isPending}
      fault={otherFaults(change.error, ["#/emails"])}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextArea
        label="Addresses"
        hint="One a line, 5 at most, of people who asked for it: nobody verifies them"
        error={faultAt(change.error, "#/emails")}
        rows={5}
        value={addresses}
        onChange={setAddresses}
      />
      <fieldset>
        <legend>About</legend>
        {KIND_WORDS.map(([kind, text]) => (
          <p key={kind}>
            <label>
              <input
                type="checkbox"
                checked={kinds[kind]}
                onChange={({ target: { checked } }) => setKinds({ ...kinds, [kind]: checked })}
              />{" "}
              {text}
            </label>
          </p>
        ))}
      </fieldset>
    </FormModal>
  );
}
