import { Link } from "wouter";
import type { z } from "zod";
import type { accountDetailAnswer } from "../../../desk/accounts/answers.ts";
import { DataView } from "../../ui/data-view.tsx";
import { useRead } from "../../ui/http/use-read.ts";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { STATUS_WORDS } from "../orders/order-words.ts";
import type { ScreenProps } from "../screens.tsx";
import { useMay } from "../session/session.ts";
import { AccountKeys } from "./account-keys.tsx";
import { AccountStatus } from "./accounts-page.tsx";
import { ChangeStatus } from "./change-status.tsx";
import { RenameAccount } from "./rename-account.tsx";

export type AccountDetail = z.output<typeof accountDetailAnswer>;

/** One customer: status, what it has open, its keys. */
export default function AccountPage({ params: { id = "" } }: ScreenProps) {
  const account = useRead<AccountDetail>("accounts", `/desk/v1/accounts/${id}`);
  return <DataView query={account}>{(found) => <Account account={found} />}</DataView>;
}

function Account({ account }: { readonly account: AccountDetail }) {
  const { id, name, status, created_at, suspension, counts } = account;
  const mayChange = useMay("admin");
  return (
    <Page
      title={name}
      actions={
        mayChange && (
          <>
            <RenameAccount account={account} />
            <ChangeStatus account={account} />
          </>
        )
      }
    >
      <Card>
        <Facts
          facts={[
            ["Status", <AccountStatus key="status" status={status} />],
            ["Since", <Time key="since" at={created_at} />],
            ["Id", <code key="id">{id}</code>],
            ...(suspension === null
              ? []
              : ([
                  ["Suspended by", suspension.operator.name],
                  ["Suspended", <Time key="at" at={suspension.at} form="past" />],
                  ["Reason", suspension.reason],
                ] as const)),
          ]}
        />
      </Card>
      <Card title="At a glance">
        <Facts
          facts={[
            [
              "Open cases",
              <Link key="cases" href={`/reviews?view=all&account_id=${id}`}>
                {counts.open_cases}
              </Link>,
            ],
            ["Numbers", <LinkTo key="numbers" screen="numbers" id={id} count={counts.numbers} />],
            [
              "Open port-outs",
              <LinkTo key="out" screen="port-outs" id={id} count={counts.open_port_outs} />,
            ],
            [
              "Webhook endpoints",
              <Link key="webhooks" href={`/webhooks?account_id=${id}`}>
                {`${counts.webhook_endpoints}, ${counts.paused_webhook_endpoints} paused`}
              </Link>,
            ],
            ["Waiting deliveries", counts.waiting_deliveries.toLocaleString()],
            [
              "Actions",
              <Link key="audit" href={`/audit?account_id=${id}`}>
                Audit log
              </Link>,
            ],
          ]}
        />
      </Card>
      <Card title="Orders by status">
        <Facts
          facts={counts.orders_by_status.map(({ status: one, count }) => [
            STATUS_WORDS[one].name,
            <Link key={one} href={`/orders?account=${id}&status=${one}`}>
              {count.toLocaleString()}
            </Link>,
          ])}
        />
        {counts.orders_by_status.length === 0 && <p>It has no orders yet.</p>}
      </Card>
      <AccountKeys accountId={id} />
    </Page>
  );
}

interface LinkToProps {
  readonly screen: string;
  readonly id: string;
  readonly count: number;
}

function LinkTo({ screen, id, count }: LinkToProps) {
  return <Link href={`/${screen}?account=${id}`}>{count.toLocaleString()}</Link>;
}
