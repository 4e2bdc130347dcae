import { useState, type SubmitEvent } from "react";
import { Link } from "wouter";
import type { z } from "zod";
import type { deskNumberAnswer } from "../../../desk/numbers/answers.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { useList } from "../../ui/http/read.ts";
import { faultAt, otherFaults, withQuery } from "../../ui/http/request.ts";
import {
  ChoiceFilter,
  Filters,
  Paging,
  Table,
  useUrlFilters,
  WholeFilter,
  type Column,
} from "../../ui/list.tsx";
import { Modal, ModalActions } from "../../ui/modal.tsx";
import { Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useProviders } from "../carriers/carriers.ts";
import { AccountChip } from "../orders/list/account-chip.tsx";
import { typeName } from "../orders/orders.ts";
import { useMay } from "../session.ts";
import styles from "./numbers-page.module.css";

/** It reaches other accounts of the platform, and hosts no numbers. */
const HOSTS_NONE = "platform";

interface ProviderDialogProps {
  readonly number: PlatformNumber;
  readonly onClose: () => void;
}

/** Which provider hosts a number, chosen from those that there are. */
function ProviderDialog({ number, onClose }: ProviderDialogProps) {
  const toasts = useToasts();
  const { data: providers } = useProviders();
  const [provider, setProvider] = useState("");
  const send = useCommand<PlatformNumber>({ refreshes: ["numbers"] });
  const { phone_number, provider: before, forwarding } = number;
  const others = (providers?.data ?? []).filter(
    ({ name }) => name !== before && name !== HOSTS_NONE,
  );
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    send.run(
      {
        path: `/desk/v1/numbers/${encodeURIComponent(phone_number)}/provider`,
        body: { provider },
      },
      {
        onDone: () => toasts.done(`${phone_number} is now hosted by ${provider}`),
        whileShown: onClose,
      },
    );
  };
  const rest = otherFaults(send.error, ["#/provider"]);
  return (
    <Modal
      title={`Provider of ${phone_number}`}
      description={`It is hosted by ${before} now. The customer is told of the change${forwarding === null ? "" : ", and its forwarding is applied again at the new provider"}.`}
      onClose={onClose}
    >
      <form className={styles["form"]} onSubmit={submit}>
        <Field label="New provider" error={faultAt(send.error, "#/provider")}>
          {(control) => (
            <select
              {...control}
              required
              value={provider}
              onChange={(event) => setProvider(event.target.value)}
            >
              <option value="" disabled>
                Choose
              </option>
              {others.map(({ name, title }) => (
                <option key={name} value={name}>
                  {name}: {title}
                </option>
              ))}
            </select>
          )}
        </Field>
        {rest !== null && <p role="alert">{rest}</p>}
        <ModalActions>
          <Button onClick={onClose}>Keep {before}</Button>
          <Button type="submit" kind="primary" isBusy={send.isPending} disabled={provider === ""}>
            Change provider
          </Button>
        </ModalActions>
      </form>
    </Modal>
  );
}

const STATES: Readonly<
  Record<PlatformNumber["status"], { readonly name: string; readonly tone: Tone }>
> = {
  active: { name: "Active", tone: "good" },
  porting_out: { name: "Porting out", tone: "warning" },
  ported_out: { name: "Ported out", tone: "neutral" },
};

/** The numbers of all accounts on the platform, and who hosts each. */
export default function NumbersPage() {
  const { filters, change, clear, isFiltered, after } = useUrlFilters([
    "number",
    "provider",
    "status",
    "account",
  ]);
  const { data: providers } = useProviders();
  const [changed, setChanged] = useState<PlatformNumber | null>(null);
  const query = useNumbers({
    phone_number: filters.number,
    provider: filters.provider,
    status: filters.status,
    account_id: filters.account,
    starting_after: after,
  });
  return (
    <Page title="Numbers">
      <Filters label="Filter the numbers" isFiltered={isFiltered} onClear={clear}>
        <WholeFilter
          label="Number"
          type="tel"
          placeholder="+12125550123"
          value={filters.number}
          onCommit={(number) => change({ number })}
        />
        <ChoiceFilter
          label="Provider"
          value={filters.provider}
          onChange={(provider) => change({ provider })}
        >
          <option value="">Any provider</option>
          {(providers?.data ?? []).map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </ChoiceFilter>
        <ChoiceFilter
          label="Status"
          value={filters.status}
          onChange={(status) => change({ status })}
        >
          <option value="">On the platform</option>
          <option value="active">{STATES.active.name}</option>
          <option value="porting_out">{STATES.porting_out.name}</option>
        </ChoiceFilter>
        <AccountChip account={filters.account} onRemove={() => change({ account: "" })} />
      </Filters>
      <DataView query={query}>
        {({ data, has_more: hasMore }) =>
          data.length === 0 ? (
            <NoNumbers isFiltered={isFiltered} />
          ) : (
            <>
              <NumberTable numbers={data} onChange={setChanged} />
              <Paging last={data.at(-1)?.phone_number} hasMore={hasMore} />
            </>
          )
        }
      </DataView>
      {changed !== null && <ProviderDialog number={changed} onClose={() => setChanged(null)} />}
    </Page>
  );
}

function NoNumbers({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No number matches these filters">
      A number is written in E.164, with its country code: +12125550123. One that has been ported
      out is no longer listed; its order and its port-out are.
    </Empty>
  ) : (
    <Empty title="There are no numbers on the platform yet">
      A number appears here once its order has activated it.
    </Empty>
  );
}

interface NumberTableProps {
  readonly numbers: readonly PlatformNumber[];
  readonly onChange: (number: PlatformNumber) => void;
}

function NumberTable({ numbers, onChange }: NumberTableProps) {
  const isLead = useMay("lead");
  const columns: readonly Column<PlatformNumber>[] = [
    { title: "Number", cell: (one) => <NumberCell number={one} /> },
    {
      title: "Status",
      cell: ({ status }) => <Badge tone={STATES[status].tone}>{STATES[status].name}</Badge>,
    },
    {
      title: "Account",
      cell: ({ account: { id, name } }) => <Link href={`/accounts/${id}`}>{name}</Link>,
    },
    {
      title: "Calls go to",
      isMinor: true,
      cell: ({ forwarding }) =>
        forwarding === null ? (
          "–"
        ) : (
          <>
            {forwarding.primary}
            <span className={styles["under"]}>by the {forwarding.handled_by}</span>
          </>
        ),
    },
    { title: "Live since", isMinor: true, cell: ({ activated_at: at }) => <Time at={at} /> },
    {
      title: "Provider",
      cell: (one) => (
        <span className={styles["provider"]}>
          {one.provider}
          {isLead && one.status !== "ported_out" && (
            <Button kind="quiet" onClick={() => onChange(one)}>
              Change<span className="visually-hidden"> the provider of {one.phone_number}</span>
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <Table caption="Numbers" columns={columns} rows={numbers} keyOf={(one) => one.phone_number} />
  );
}

function NumberCell({ number }: { readonly number: PlatformNumber }) {
  const { phone_number, country_code, number_type, porting_order_id: order, ...rest } = number;
  return (
    <>
      <strong className={styles["number"]}>{phone_number}</strong>
      <span className={styles["under"]}>
        {country_code} {typeName(number_type)}
        {rest.port_out_lock && " · locked"}
        {rest.port_out_pin_set && " · PIN set"}
        {order !== null && (
          <>
            {" · "}
            <Link href={`/orders/${order}`}>order</Link>
          </>
        )}
      </span>
    </>
  );
}

type PlatformNumber = z.infer<typeof deskNumberAnswer>;

export interface NumberQuery {
  readonly phone_number: string;
  readonly provider: string;
  readonly status: string;
  readonly account_id: string;
  readonly starting_after: string;
}

function useNumbers(query: NumberQuery) {
  const path = withQuery("/desk/v1/numbers", { ...query, limit: 50 });
  return useList<PlatformNumber>("numbers", path);
}
