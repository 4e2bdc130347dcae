import { useState } from "react";
import { Link } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { useRead } from "../../ui/http/read.ts";
import { faultAt, otherFaults, Problem } from "../../ui/http/request.ts";
import { FormModal } from "../../ui/modal.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { e164Of } from "../order-form/given-values.ts";
import { kindOf } from "../orders/order-words.ts";
import { NUMBER_STATES, numberAt, useNumberCommand, type PlatformNumber } from "./numbers.ts";
import { UnlockDialog } from "./unlock-dialog.tsx";

export default function NumberPage({ digits }: { readonly digits: string }) {
  const number = `+${digits}`;
  const query = useRead<PlatformNumber>("numbers", numberAt(number));
  const { error } = query;
  if (error instanceof Problem && error.status === 404) {
    const orders = `/orders?number=${encodeURIComponent(number)}`;
    return (
      <Page title={number}>
        <Empty
          title="It is not on your account"
          action={<Link href={orders}>Look for it in your orders</Link>}
        >
          A number is here once its port is done.
        </Empty>
      </Page>
    );
  }
  return <DataView query={query}>{(found) => <Shown number={found} />}</DataView>;
}

interface NumberProps {
  readonly number: PlatformNumber;
}

function Shown({ number }: NumberProps) {
  const { phone_number: name, status, porting_order_id: order } = number;
  const [text, tone] = NUMBER_STATES[status];
  const isHere = status !== "ported_out" && status !== "released";
  return (
    <Page title={name}>
      <Card>
        <div>
          <Badge tone={tone}>{text}</Badge>
        </div>
        <Facts
          facts={[
            ["Kind", kindOf(number)],
            ["Provider", number.provider],
            ["Live since", <Time key="live" at={number.activated_at} />],
            ["Tags", number.tags.length === 0 ? "–" : number.tags.join(", ")],
            [
              "Came with",
              order === null ? "–" : <Link href={`/orders/${order}`}>its porting order</Link>,
            ],
            [
              "Port-outs",
              <Link
                key="port-outs"
                href={`/port-outs?status=any&number=${encodeURIComponent(name)}`}
              >
                requests for this number
              </Link>,
            ],
          ]}
        />
      </Card>
      <Forwarding number={number} isHere={isHere} />
      <Protection number={number} isHere={isHere} />
    </Page>
  );
}

interface PartProps extends NumberProps {
  /** It can be changed, because it has not left. */
  readonly isHere: boolean;
}

function Forwarding({ number, isHere }: PartProps) {
  const { forwarding } = number;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card title="Forwarding">
      {forwarding === null ? (
        <p className="muted">Calls are not forwarded.</p>
      ) : (
        <Facts
          facts={[
            ["Calls go to", forwarding.primary],
            ["If that does not answer", forwarding.fallback ?? "–"],
            ["Forwarded by", forwarding.handled_by === "platform" ? "us" : "the carrier"],
          ]}
        />
      )}
      {isHere && (
        <div>
          <Button onClick={() => setIsOpen(true)}>
            {forwarding === null ? "Forward calls" : "Change forwarding"}
          </Button>
        </div>
      )}
      {isOpen && <ForwardingDialog number={number} onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

const PRIMARY = "#/forwarding/primary";
const FALLBACK = "#/forwarding/fallback";

function ForwardingDialog({ number, onClose }: NumberProps & { readonly onClose: () => void }) {
  const { phone_number: name, country_code: country, forwarding } = number;
  const [primary, setPrimary] = useState(forwarding?.primary ?? "");
  const [fallback, setFallback] = useState(forwarding?.fallback ?? "");
  const change = useNumberCommand();
  const toasts = useToasts();
  const isOff = primary.trim() === "" && fallback.trim() === "";
  const e164 = (text: string): string => e164Of(text, country);
  const onSubmit = (): void => {
    const to = {
      primary: primary.trim() === "" ? "" : e164(primary),
      fallback: fallback.trim() === "" ? null : e164(fallback),
    };
    change.run(
      { method: "PATCH", path: numberAt(name), body: { forwarding: isOff ? null : to } },
      {
        onDone: () =>
          toasts.done(isOff ? `${name} is not forwarded any more` : `${name} is forwarded`),
        whileShown: onClose,
      },
    );
  };
  return (
    <FormModal
      title={`Forward calls to ${name}`}
      description="Calls that come in go there from now on. Leave both empty to forward nothing."
      verb="Save"
      isBusy={change.isPending}
      isReady={!isOff || forwarding !== null}
      fault={otherFaults(change.error, [PRIMARY, FALLBACK])}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextField
        label="Calls go to"
        type="tel"
        error={faultAt(change.error, PRIMARY)}
        value={primary}
        onChange={setPrimary}
      />
      <TextField
        label="If that does not answer"
        hint="Optional"
        type="tel"
        error={faultAt(change.error, FALLBACK)}
        value={fallback}
        onChange={setFallback}
      />
    </FormModal>
  );
}

function Protection({ number, isHere }: PartProps) {
  const { phone_number: name, port_out_lock: isLocked, port_out_pin_set: hasPin } = number;
  const [isAsking, setIsAsking] = useState(false);
  const change = useNumberCommand();
  const toasts = useToasts();
  const lock = (port_out_lock: boolean): void =>
    change.run(
      { method: "PATCH", path: numberAt(name), body: { port_out_lock } },
      {
        onDone: () => toasts.done(`${name} is ${port_out_lock ? "locked" : "unlocked"}`),
        whileShown: () => setIsAsking(false),
        ...(port_out_lock ? { onFailed: toasts.failed } : {}),
      },
    );
  return (
    <Card title="Against port-out">
      <Facts
        facts={[
          [
            "Lock",
            isLocked
              ? "On: every other carrier’s request for it is rejected at once"
              : "Off: you decide on each request that passes the checks",
          ],
          [
            "PIN",
            hasPin
              ? "Set: a request without the right PIN is rejected at once"
              : "None: a request needs no PIN",
          ],
        ]}
      />
      <p className="muted">
        The PIN is set and removed with an API key alone, so that it never passes through a browser.
        It is not shown to anybody.
      </p>
      {isHere && (
        <div>
          <Button
            isBusy={change.isPending}
            onClick={() => (isLocked ? setIsAsking(true) : lock(true))}
          >
            {isLocked ? "Unlock" : "Lock"}
          </Button>
        </div>
      )}
      {isAsking && (
        <UnlockDialog
          what={name}
          isBusy={change.isPending}
          error={change.error}
          onConfirm={() => lock(false)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Card>
  );
}
