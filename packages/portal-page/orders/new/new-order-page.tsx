import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { useLocation } from "wouter";
import { COUNTRY_CODES } from "../../../../services/domain/countries/country-code.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, SelectField, TextArea, TextField } from "../../../ui/field.tsx";
import { faultAt, otherFaults, request } from "../../../ui/http/request.ts";
import { counted } from "../../../ui/list-rules.ts";
import { Card, Page } from "../../../ui/page.tsx";
import { Failure } from "../../../ui/states.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import { useDraft } from "../../../ui/use-draft.ts";
import { readKept } from "../../order-form/changes.ts";
import { ORDER_FIELDS, OrderFields, requestedTime } from "../order-fields.tsx";
import type { Order } from "../order-words.ts";
import styles from "../orders.module.css";
import { ORDERS, useOrderCommand } from "../orders.ts";
import { Faults, Groups } from "./checked.tsx";
import {
  configurationOf,
  FORWARDED_TO,
  HolderField,
  NO_SETTINGS,
  SettingsFields,
} from "./order-options.tsx";
import {
  faultsOfChecks,
  faultsOfRefusal,
  groupsOf,
  MAX_NUMBERS,
  numbersInFile,
  numbersOf,
  textWithout,
  type Check,
} from "./typed-numbers.ts";

const DRAFT = "new-order";

const NOTHING = {
  numbers: "",
  country: "US",
  number_type: "",
  losing_carrier: "",
  customer_reference: "",
  foc_requested: "",
  webhook_url: "",
  requirement_group_id: "",
  ...NO_SETTINGS,
};

type Typed = typeof NOTHING;

/** What is typed is kept in the tab until the orders are created. */
function useTypedOrder() {
  const draft = useDraft(DRAFT);
  const typed: Typed = { ...NOTHING, ...readKept(draft.text) };
  const type = (name: keyof Typed, value: string): void =>
    draft.write(JSON.stringify({ ...typed, [name]: value }));
  return { typed, type, clear: () => draft.write("") };
}

interface Asked {
  readonly phone_numbers: readonly string[];
  readonly number_type?: string;
}

/** What is sent of the numbers, to be checked and to be ordered. */
function askedOf({ numbers, country, number_type: type }: Typed): Asked {
  const phone_numbers = numbersOf(numbers, country);
  // Only in North America does a number not tell its type.
  const isChosen = type !== "" && phone_numbers.some(isNorthAmerican);
  return { phone_numbers, ...(isChosen ? { number_type: type } : {}) };
}

function isNorthAmerican(number: string): boolean {
  return number.startsWith("+1");
}

/** Whether the numbers could be ordered now; asked for what `asked` says, and for nothing before. */
function useCheck(asked: string | null) {
  return useQuery({
    queryKey: ["portability", asked],
    queryFn: ({ signal }) =>
      request<{ readonly data: readonly Check[] }>("POST", "/v2/portability_checks", {
        body: JSON.parse(asked ?? "") as unknown,
        signal,
      }),
    enabled: asked !== null,
    staleTime: Infinity,
    retry: false,
  });
}

/** Numbers are checked first; then it is said what becomes of them, and created. */
export default function NewOrderPage() {
  const { typed, type, clear } = useTypedOrder();
  const [checked, setChecked] = useState<string | null>(null);
  const asked = askedOf(typed);
  const text = JSON.stringify(asked);
  const check = useCheck(checked === text ? checked : null);
  const count = asked.phone_numbers.length;
  const tooMany = count > MAX_NUMBERS;
  const onCheck = (event: SubmitEvent): void => {
    event.preventDefault();
    if (checked === text) void check.refetch();
    setChecked(text);
  };
  const refused = faultsOfRefusal(check.error, asked.phone_numbers);
  const checks = check.data?.data ?? null;
  const faults = checks === null ? refused : faultsOfChecks(checks);
  const leaveOut = (): void => {
    const left = new Set(faults.map(({ number }) => number));
    const numbers = textWithout(typed.numbers, typed.country, left);
    type("numbers", numbers);
    setChecked(JSON.stringify(askedOf({ ...typed, numbers })));
  };
  return (
    <Page title="New order">
      <Card title="Numbers">
        <form className={styles["form"]} onSubmit={onCheck}>
          <Numbers {...{ typed, type, count }} />
          <div className={styles["pair"]}>
            <Kind typed={typed} type={type} isAsked={asked.phone_numbers.some(isNorthAmerican)} />
          </div>
          <div className={styles["next"]}>
            <Button
              type="submit"
              kind={checks === null ? "primary" : "plain"}
              isBusy={check.isFetching}
              disabled={count === 0 || tooMany}
            >
              Check the numbers
            </Button>
            <p role="status" className="muted">
              {checks !== null && orderableText(checks.length - faults.length, checks.length)}
            </p>
          </div>
        </form>
        {check.error !== null && refused.length === 0 && <Failure error={check.error} />}
      </Card>
      {faults.length > 0 && <Faults faults={faults} onLeaveOut={leaveOut} />}
      {checks !== null && (
        <Creation {...{ typed, type, asked, checks, clear }} isReady={faults.length === 0} />
      )}
    </Page>
  );
}

function orderableText(some: number, all: number): string {
  if (some === all) return all === 1 ? "It can be ordered." : "All of them can be ordered.";
  return `${some.toLocaleString("en")} of ${counted(all, "number")} can be ordered.`;
}

interface TypingProps {
  readonly typed: Typed;
  readonly type: (name: keyof Typed, value: string) => void;
}

/** A spreadsheet of this size has more numbers than a request takes. */
const MAX_FILE_BYTES = 1_000_000;

function Numbers({ typed, type, count }: TypingProps & { readonly count: number }) {
  const [fault, setFault] = useState<string | null>(null);
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const text = file.size > MAX_FILE_BYTES ? "" : await file.text();
    const found = text.includes("\0") ? [] : numbersInFile(text);
    setFault(found.length > 0 ? null : NO_NUMBERS);
    if (found.length > 0) {
      const before = typed.numbers.trim();
      type("numbers", [...(before === "" ? [] : [before]), ...found].join("\n"));
    }
  };
  const many = `${counted(count, "number")}. One request takes ${MAX_NUMBERS.toLocaleString("en")}: order the rest afterwards.`;
  return (
    <>
      <TextArea
        label="Numbers to port"
        hint="One a line, or with commas between them, in any form. Those of another country begin with + and its code."
        error={count > MAX_NUMBERS ? many : null}
        rows={8}
        spellCheck={false}
        value={typed.numbers}
        onChange={(text) => type("numbers", text)}
      />
      <p role="status" className="muted">
        {count > 0 && `${counted(count, "number")}, each counted once`}
      </p>
      <Field label="Or add them from a CSV file" error={fault}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,.txt,.tsv,text/csv,text/plain"
            onChange={({ target }) => void read(target.files?.[0])}
          />
        )}
      </Field>
    </>
  );
}

const NO_NUMBERS =
  "No numbers were found in it. Save the spreadsheet as CSV (text, of up to 1 MB), and choose that file.";

const countryNames = new Intl.DisplayNames("en", { type: "region" });
const COUNTRIES = COUNTRY_CODES.map((code) => [code, countryNames.of(code) ?? code] as const);

function Kind({ typed, type, isAsked }: TypingProps & { readonly isAsked: boolean }) {
  return (
    <>
      <SelectField
        label="Country of numbers without +"
        options={COUNTRIES}
        value={typed.country}
        onChange={(code) => type("country", code)}
      />
      {isAsked && (
        <SelectField
          label="Type of the US and Canadian numbers"
          options={[
            ["", "As the number tells, else landline"],
            ["mobile", "Mobile"],
          ]}
          value={typed.number_type}
          onChange={(name) => type("number_type", name)}
        />
      )}
      <TextField
        label="Losing carrier"
        hint="Optional: who has them now. It is looked up by number unless you say it."
        maxLength={64}
        value={typed.losing_carrier}
        onChange={(name) => type("losing_carrier", name)}
      />
    </>
  );
}

interface Created {
  readonly batch_id: string;
  readonly data: readonly Order[];
}

interface CreationProps extends TypingProps {
  readonly asked: Asked;
  readonly checks: readonly Check[];
  readonly clear: () => void;
  /** No number has a fault. */
  readonly isReady: boolean;
}

/** What will be created and asked for, what else can be said of it, and the button. */
function Creation({ typed, type, asked, checks, clear, isReady }: CreationProps) {
  const create = useOrderCommand<Created>(DRAFT);
  const toasts = useToasts();
  const [, navigate] = useLocation();
  const carrier = typed.losing_carrier.trim();
  const groups = groupsOf(checks, carrier);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const requested = requestedTime(typed.foc_requested);
    const given = Object.entries({
      losing_carrier: carrier,
      customer_reference: typed.customer_reference.trim(),
      foc_requested: requested ?? "",
      webhook_url: typed.webhook_url.trim(),
      requirement_group_id: typed.requirement_group_id,
    }).filter(([, value]) => value !== "");
    const onDone = ({ data }: Created): void => {
      clear();
      toasts.done(`${counted(data.length, "order")} created`, "Next: fill in what each asks for.");
    };
    const whileShown = ({ batch_id: batch, data: [first, second] }: Created): void =>
      navigate(second === undefined ? `/orders/${first?.id ?? ""}` : `/orders?batch=${batch}`);
    const number_configuration = configurationOf(typed, typed.country);
    const body = { ...asked, ...Object.fromEntries(given), ...number_configuration };
    create.run({ path: ORDERS, body }, { onDone, whileShown });
  };
  if (groups.length === 0) return null;
  const refused = faultsOfRefusal(create.error, asked.phone_numbers);
  const placed = ["#/losing_carrier", "#/phone_numbers", "#/requirement_group_id", FORWARDED_TO];
  const other = otherFaults(create.error, [...ORDER_FIELDS, ...placed]);
  return (
    <>
      {refused.length > 0 && <Faults faults={refused} />}
      <Groups groups={groups} />
      <Card title={groups.length === 1 ? "The order" : "For each of these orders"}>
        <form className={styles["form"]} onSubmit={onSubmit} noValidate>
          <HolderField value={typed.requirement_group_id} onChange={type} error={create.error} />
          <SettingsFields values={typed} onChange={type} error={create.error} />
          <OrderFields values={typed} onChange={type} error={create.error} />
          {[faultAt(create.error, "#/losing_carrier"), other].map(
            (fault, n) =>
              fault !== null && (
                <p key={n} role="alert">
                  {fault}
                </p>
              ),
          )}
          <div className={styles["next"]}>
            <Button type="submit" kind="primary" isBusy={create.isPending} disabled={!isReady}>
              Create {counted(groups.length, "order")}
            </Button>
            <p className="muted">
              {isReady
                ? "Drafts are created. The losing carrier hears of nothing before you submit them."
                : "First correct or leave out the numbers above."}
            </p>
          </div>
        </form>
      </Card>
    </>
  );
}
