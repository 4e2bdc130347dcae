import { useState } from "react";
import { SelectField, TextArea } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { faultAt, otherFaults } from "../../ui/http/request.ts";
import { FormModal } from "../../ui/modal.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { NUMBERS, RELEASE_WORDS, type PlatformNumber } from "./numbers.ts";

/** A number that has left without a port-out; what follows from it is said before. */
export function ReleaseDialog({
  number: { phone_number: name, account },
  onClose,
}: {
  readonly number: PlatformNumber;
  readonly onClose: () => void;
}) {
  const toasts = useToasts();
  const [reason, setReason] = useState("");
  const [note, setNote] = useState("");
  const send = useCommand<PlatformNumber>({ refreshes: ["numbers", "port-outs"] });
  const submit = (): void =>
    send.run(
      { path: `${NUMBERS}/${encodeURIComponent(name)}/release`, body: { reason, note } },
      { onDone: () => toasts.done(`${name} is released`), whileShown: onClose },
    );
  return (
    <FormModal
      title={`Release ${name}`}
      description={`It is not on ${account.name} any more: its settings end, the customer is told, and carriers that have asked for it are refused. It can only come back by an order or an import.`}
      verb="Release"
      leave="Keep it"
      kind="danger"
      isBusy={send.isPending}
      isReady={reason !== "" && note.trim() !== ""}
      fault={otherFaults(send.error, ["#/reason", "#/note"])}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="Why"
        error={faultAt(send.error, "#/reason")}
        required
        prompt="Choose"
        options={Object.entries(RELEASE_WORDS)}
        value={reason}
        onChange={setReason}
      />
      <TextArea
        label="What happened"
        hint="For the desk alone"
        error={faultAt(send.error, "#/note")}
        required
        rows={3}
        maxLength={1_000}
        value={note}
        onChange={setNote}
      />
    </FormModal>
  );
}
