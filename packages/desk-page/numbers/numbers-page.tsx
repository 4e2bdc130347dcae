import { useState } from "react";
import { Link } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { useCountedList } from "../../ui/http/read.ts";
import { faultAt, otherFaults } from "../../ui/http/request.ts";
import { ROW_LINK, useRowKeys } from "../../ui/keys.ts";
import {
  ChoiceFilter,
  FilterChip,
  Filters,
  ListSummary,
  ListView,
  useUrlFilters,
  WholeFilter,
  type Column,
} from "../../ui/list.tsx";
import { FormModal } from "../../ui/modal.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useProviders } from "../carriers/carriers.ts";
import { numberPath, typeName } from "../orders/orders.ts";
import { useMay } from "../session.ts";
import styles from "./numbers-page.module.css";
import { HOSTS_NONE, NUMBER_STATES, NUMBERS, type PlatformNumber } from "./numbers.ts";
import { SavedViews } from "../views/saved-views.tsx";

const NEWEST = { by: "activated_at", order: "desc" } as const;

/** Which provider hosts a number, chosen from those that there are. */
export function ProviderDialog({
  number,
  onClose,
}: {
  number: PlatformNumber;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const { data: providers } = useProviders();
  const [provider, setProvider] = useState("");
  const send = useCommand<PlatformNumber>({ refreshes: ["numbers"] });
  const { phone_number, provider: before, forwarding } = number;
  const others = (providers?.data ?? []).filter(
    ({ name }) => name !== before && name !== HOSTS_NONE,
  );
  const submit = (): void =>
    send.run(
      {
        path: `${NUMBERS}/${encodeURIComponent(phone_number)}/provider`,
        body: { provider },
      },
      {
        onDone: () => toasts.done(`${phone_number} is now hosted by ${provider}`),
        whileShown: onClose,
      },
    );
  return (
    <FormModal
      title={`Provider of ${phone_number}`}
      description={`It is hosted by ${before} now. The customer is told of the change${forwarding === null ? "" : ", and its forwarding is applied again at the new provider"}.`}
      verb="Change provider"
      leave={`Keep ${before}`}
      isBusy={send.isPending}
      isReady={provider !== ""}
      fault={otherFaults(send.error, ["#/provider"])}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="New provider"
        error={faultAt(send.error, "#/provider")}
        required
        prompt="Choose"
        options={others.map(({ name, title }) => [name, `${name}: ${title}`])}
        value={provider}
        onChange={setProvider}
      />
    </FormModal>
  );
}

/** The numbers of all accounts on the platform, and who hosts each. */
export default function NumbersPage() {
  const url = useUrlFilters(["number", "provider", "status", "account"], NEWEST);
  const { filters, of, change, isFiltered } = url;
  const { data: providers } = useProviders();
  const [changed, setChanged] = useState<PlatformNumber | null>(null);
  const { number, account, ...others } = filters;
  const query = { ...others, phone_number: number, account_id: account, ...url.page };
  const list = useCountedList<PlatformNumber>("numbers", NUMBERS, query);
  useRowKeys();
  return (
    <Page title="Numbers">
      <SavedViews screen="numbers" />
      <Filters label="Filter the numbers" url={url}>
        <WholeFilter label="Number" type="tel" placeholder="+12125550123" {...of("number")} />
        <ChoiceFilter
          label="Provider"
          any="Any provider"
          options={(providers?.data ?? []).map(({ name }) => [name, name])}
          {...of("provider")}
        />
        <ChoiceFilter
          label="Status"
          any="On the platform"
          options={(["active", "porting_out"] as const).map((one) => [
            one,
            NUMBER_STATES[one].name,
          ])}
          {...of("status")}
        />
        {filters.account !== "" && (
          <FilterChip
            label="One account: show all accounts"
            onRemove={() => change({ account: "" })}
          >
            One account
          </FilterChip>
        )}
      </Filters>
      <ListView
        query={list.page}
        summary={<ListSummary list={list} one="number" />}
        sorting={url.sorting}
        caption="Numbers"
        columns={columnsFor(useMay("lead") ? setChanged : null)}
        keyOf={(one) => one.phone_number}
        empty={<NoNumbers isFiltered={isFiltered} />}
      />
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
      A number appears here once its order has activated it, or once it is imported from the page of
      its account.
    </Empty>
  );
}

/** `onChange` is null for whom may not change the provider. */
function columnsFor(
  onChange: ((number: PlatformNumber) => void) | null,
): readonly Column<PlatformNumber>[] {
  return [
    {
      title: "Number",
      cell: (one) => <NumberCell number={one} />,
      sort: "phone_number",
      copies: ["the number", (one) => one.phone_number],
    },
    {
      title: "Status",
      cell: ({ status }) => (
        <Badge tone={NUMBER_STATES[status].tone}>{NUMBER_STATES[status].name}</Badge>
      ),
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
            <span className="under">by the {forwarding.handled_by}</span>
          </>
        ),
    },
    {
      title: "Live since",
      isMinor: true,
      sort: "activated_at",
      cell: ({ activated_at: at }) => <Time at={at} />,
    },
    {
      title: "Provider",
      cell: (one) => (
        <span className={styles["provider"]}>
          {one.provider}
          {onChange !== null && one.status !== "ported_out" && (
            <Button kind="quiet" onClick={() => onChange(one)}>
              Change<span className="visually-hidden"> the provider of {one.phone_number}</span>
            </Button>
          )}
        </span>
      ),
    },
  ];
}

function NumberCell({ number }: { readonly number: PlatformNumber }) {
  const { phone_number, country_code, number_type, porting_order_id: order, ...rest } = number;
  return (
    <>
      <Link {...ROW_LINK} href={numberPath(phone_number)} className={styles["number"] ?? ""}>
        {phone_number}
      </Link>
      <span className="under">
        {country_code} {typeName(number_type)}
        {rest.port_out_lock && " · locked"}
        {rest.port_out_pin_set && " · PIN set"}
        {rest.source === "imported" && " · imported"}
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
