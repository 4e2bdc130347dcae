import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextArea } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { otherFaults } from "../../ui/http/request.ts";
import { counted } from "../../ui/list-rules.ts";
import { FormModal } from "../../ui/modal.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useProviders } from "../carriers/carriers.ts";
import { HOSTS_NONE, NUMBERS, type ImportAnswer } from "./numbers.ts";
import { pastedNumbers } from "./pasted-numbers.ts";

interface ImportProps {
  readonly account: { readonly id: string; readonly name: string };
}

/** Brings a customer's numbers from elsewhere: pasted, checked, then imported. */
export function ImportNumbers({ account }: ImportProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Import numbers</Button>
      {isOpen && <ImportDialog account={account} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const FEW = 20;

function ImportDialog({ account, onClose }: ImportProps & { readonly onClose: () => void }) {
  const toasts = useToasts();
  const { data: providers } = useProviders();
  const [provider, setProvider] = useState("");
  const [text, setText] = useState("");
  const [checked, setChecked] = useState<ImportAnswer | null>(null);
  const send = useCommand<ImportAnswer>({ refreshes: ["numbers", "accounts"] });
  const numbers = pastedNumbers(text, provider);
  const submit = (): void => {
    const isDry = checked === null;
    send.run(
      { path: NUMBERS, body: { account_id: account.id, numbers, dry_run: isDry } },
      {
        onDone: (answer) =>
          isDry
            ? setChecked(answer)
            : toasts.done(`${account.name} has ${counted(answer.accepted, "number")} of these`),
        whileShown: isDry ? () => undefined : onClose,
      },
    );
  };
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setChecked(null);
  };
  return (
    <FormModal
      title={`Import numbers of ${account.name}`}
      description="Numbers that are live already, and did not come by an order here. The customer gets no event."
      verb={checked === null ? "Check" : `Import ${counted(checked.accepted, "number")}`}
      isBusy={send.isPending}
      isReady={numbers.length > 0 && checked?.accepted !== 0}
      fault={otherFaults(send.error, [])}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="Provider that hosts them"
        hint="For lines that name none"
        prompt="Choose"
        options={(providers?.data ?? [])
          .filter(({ name }) => name !== HOSTS_NONE)
          .map(({ name, title }) => [name, `${name}: ${title}`])}
        value={provider}
        onChange={change(setProvider)}
      />
      <TextArea
        label="Numbers"
        hint="From a spreadsheet or a CSV file, up to 1,000 lines: number, provider, type, live since"
        required
        rows={8}
        placeholder="+12125550123,sandbox,local,2024-05-01T00:00:00Z"
        value={text}
        onChange={change(setText)}
      />
      {checked !== null && <Checked answer={checked} />}
    </FormModal>
  );
}

function Checked({ answer: { accepted, errors } }: { readonly answer: ImportAnswer }) {
  return (
    <div role="status">
      <p>
        {counted(accepted, "number")} can be imported
        {errors.length === 0 ? "." : `; left out: ${errors.length.toLocaleString()}`}
      </p>
      <ul>
        {errors.slice(0, FEW).map(({ pointer, phone_number, detail }) => (
          <li key={pointer}>
            {phone_number}: {detail}
          </li>
        ))}
      </ul>
      {errors.length > FEW && <p>and {errors.length - FEW} more</p>}
    </div>
  );
}
