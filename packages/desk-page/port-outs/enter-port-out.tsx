import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { faultAt, otherFaults } from "../../ui/http/request.ts";
import { Confirm, FormModal } from "../../ui/modal.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { browserZone, instantOf } from "../../ui/zoned-time.ts";
import { REQUESTER_WORDS } from "../../ui/port-outs/port-out-words.ts";
import { PORT_OUTS, type PortOut } from "./port-outs.ts";

/** What the dialog asks for beside the numbers and the date. */
const FIELDS = {
  gaining_carrier: "Gaining carrier",
  port_out_ref: "Its reference",
  attempted_pin: "PIN that its customer gave",
} as const;

type Values = Readonly<Record<string, string>>;

/** A carrier's request by mail or phone, for numbers of any account. */
export function EnterPortOut() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Enter a port-out</Button>
      {isOpen && <EnterDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function EnterDialog({ onClose }: { readonly onClose: () => void }) {
  const toasts = useToasts();
  const [values, setValues] = useState<Values>({});
  const send = useCommand({ refreshes: ["port-outs"] });
  const valueOf = (name: string): string => values[name] ?? "";
  const of = (name: string) => ({
    value: valueOf(name),
    onChange: (value: string): void => setValues((now) => ({ ...now, [name]: value })),
    error: faultAt(send.error, `#/${name}`),
  });
  const submit = (): void =>
    send.run(
      { path: PORT_OUTS, body: bodyOf(valueOf) },
      {
        onDone: () => toasts.done("The request is entered; its port-out appears in a moment"),
        whileShown: onClose,
      },
    );
  const isReady = ["numbers", "gaining_carrier", "port_out_ref", "date", "time"].every(
    (name) => valueOf(name).trim() !== "",
  );
  const shown = [...Object.keys(FIELDS), "requested_foc"].map((name) => `#/${name}`);
  return (
    <FormModal
      title="Enter a port-out"
      description="As another carrier asks by mail or phone. Locks and PINs are checked, and the customer decides, as on any request."
      verb="Enter"
      isBusy={send.isPending}
      isReady={isReady}
      fault={otherFaults(send.error, shown)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea label="Numbers" hint="In E.164, one a line" required rows={3} {...of("numbers")} />
      {Object.entries(FIELDS).map(([name, label]) => (
        <TextField key={name} label={label} required={name !== "attempted_pin"} {...of(name)} />
      ))}
      <TextField label="Port date" type="date" required {...of("date")} />
      <TextField
        label="Time"
        hint={`In ${browserZone()}`}
        type="time"
        required
        {...of("time")}
        error={faultAt(send.error, "#/requested_foc")}
      />
      {Object.entries(REQUESTER_WORDS).map(([name, label]) => (
        <TextField key={name} label={`${label} (optional)`} {...of(name)} />
      ))}
    </FormModal>
  );
}

function bodyOf(valueOf: (name: string) => string) {
  const given = (names: readonly string[]): Values =>
    Object.fromEntries(
      names.flatMap((name): [string, string][] => {
        const value = valueOf(name).trim();
        return value === "" ? [] : [[name, value]];
      }),
    );
  const at = { date: valueOf("date"), time: valueOf("time"), zone: browserZone() };
  return {
    ...given(Object.keys(FIELDS)),
    phone_numbers: valueOf("numbers")
      .split(/[\n\r,;\t]+/)
      .map((number) => number.replaceAll(/[\s().-]/g, ""))
      .filter((number) => number !== ""),
    requested_foc: instantOf(at) ?? "",
    requester: given(Object.keys(REQUESTER_WORDS)),
  };
}

const ENDINGS = {
  complete: {
    verb: "The numbers have left",
    text: "They end on the account, the customer is told, and calls no longer come here.",
  },
  cancel: { verb: "The carrier has withdrawn", text: "The numbers stay. The customer is told." },
} as const;

type Ending = keyof typeof ENDINGS;

/** What became of a request that was entered at the desk. */
export function EnteredEndings({ portOut: { id, status } }: { readonly portOut: PortOut }) {
  const toasts = useToasts();
  const [ending, setEnding] = useState<Ending | null>(null);
  const send = useCommand({ refreshes: ["port-outs", "numbers"] });
  const isOpen = status !== "ported_out" && status !== "cancelled";
  const confirm = (act: Ending): void =>
    send.run(
      { path: `${PORT_OUTS}/${id}/${act}`, body: {} },
      {
        onDone: () => toasts.done("It is entered, and shows in a moment"),
        whileShown: () => setEnding(null),
      },
    );
  return (
    <>
      {isOpen && <Button onClick={() => setEnding("complete")}>{ENDINGS.complete.verb}</Button>}
      {isOpen && status !== "rejected" && (
        <Button onClick={() => setEnding("cancel")}>{ENDINGS.cancel.verb}</Button>
      )}
      {ending !== null && (
        <Confirm
          title={`${ENDINGS[ending].verb}?`}
          verb="Enter it"
          isDangerous={ending === "complete"}
          isBusy={send.isPending}
          error={send.error}
          onConfirm={() => confirm(ending)}
          onClose={() => setEnding(null)}
        >
          <p>{ENDINGS[ending].text}</p>
        </Confirm>
      )}
    </>
  );
}
