import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { CarrierRequest } from "../../../services/messages/generated/carrier-request.ts";
import type { OwnProduct } from "../../support/product/product.ts";
import { readMessages } from "../../support/stack/topic-messages.ts";
import type { Breach } from "./check-history.ts";
import { query } from "./history.ts";
import type { DriverRecord } from "./run-progress.ts";

type SentRequest = Pick<
  CarrierRequest,
  "request_id" | "kind" | "order_id" | "request_version" | "change" | "requirements" | "documents"
>;

/** What is stored of orders after their submission, and what their carriers were asked. */
export interface SentOrders {
  /** The changes of all orders, each with its statuses in the timeline. */
  readonly changes: readonly {
    readonly id: string;
    readonly status: string;
    readonly noted: readonly string[];
  }[];
  readonly focRequested: ReadonlyMap<string, string | null>;
  readonly numbers: readonly { readonly phone_number: string; readonly order_id: string }[];
  /** Every record of the topic, including repeats. */
  readonly requests: readonly SentRequest[];
  /** The SHA-256 of the files of split orders, by the document's id. */
  readonly files: ReadonlyMap<string, string>;
}

type Driven = Pick<DriverRecord, "changes" | "pairs" | "splits" | "cancelAsked">;
type Check = (driven: Driven, sent: SentOrders) => Breach[];

/** Every change ended once, as its carrier or its customer said. */
const changesEnded: Check = ({ changes: asked, cancelAsked }, { changes }) => {
  const known = new Set(asked.map(({ id }) => id));
  const invented = changes.filter(({ id }) => !known.has(id));
  return [
    ...invented.map(({ id }) => `invented: change ${id}`),
    ...asked.flatMap(({ id, orderId, wanted }): Breach[] => {
      const [found, ...more] = changes.filter((one) => one.id === id);
      const name = `change ${id} of order ${orderId}`;
      if (found === undefined) return [`lost: ${name}`];
      const { status, noted } = found;
      const isFree = wanted === "ended" || cancelAsked.has(orderId);
      const isMeant = status === wanted || (isFree && status !== "pending");
      return [
        ...more.map(() => `doubled: ${name}`),
        ...(isMeant ? [] : [`${name} is ${status}, not ${wanted}`]),
        ...(isDeepStrictEqual(noted, ["pending", status]) ? [] : [`${name}: ${noted.join(", ")}`]),
      ];
    }),
  ];
};

/** An order has the date of its last accepted change, and each number is in the one order where it was left. */
const changesApplied: Check = ({ pairs, splits, changes: asked }, sent) => {
  const ids = new Set(sent.changes.filter((one) => one.status === "accepted").map(({ id }) => id));
  const accepted = asked.filter(({ id }) => ids.has(id));
  const dates = new Map(
    accepted.flatMap((one) => (one.foc === null ? [] : [[one.orderId, one.foc]])),
  );
  const removed = new Set(accepted.flatMap((one) => one.removed));
  const moved = new Map(splits.flatMap(({ to, moved: own }) => own.map((number) => [number, to])));
  const isOf = (number: string): string[] =>
    sent.numbers.filter((one) => one.phone_number === number).map((one) => one.order_id);
  return [
    ...[...dates]
      .filter(([orderId, foc]) => sent.focRequested.get(orderId) !== foc)
      .map(([orderId]) => `lost: the changed date of order ${orderId}`),
    ...[...pairs].flatMap(([orderId, { numbers }]) =>
      numbers.flatMap((number): Breach[] => {
        const wanted = removed.has(number) ? [] : [moved.get(number) ?? orderId];
        const found = isOf(number);
        if (isDeepStrictEqual(found, wanted)) return [];
        return [`a number of order ${orderId} is in [${found.join()}], not [${wanted.join()}]`];
      }),
    ),
  ];
};

/** A version has one id, however often it is sent; a change that the carrier answered was sent under one version. */
const changesSentOnce: Check = ({ changes: asked, cancelAsked }, { requests }) => {
  const ids = new Map<string, Set<string>>();
  const versions = new Map<string, Set<number>>();
  for (const { kind, order_id, request_version, request_id, change } of requests) {
    if (kind !== "submit" && kind !== "supplement") continue;
    const version = request_version ?? 0;
    const key = `version ${version} of order ${order_id ?? ""}`;
    ids.set(key, (ids.get(key) ?? new Set()).add(request_id));
    const id = change?.change_id;
    if (id !== undefined) versions.set(id, (versions.get(id) ?? new Set()).add(version));
  }
  return [
    ...[...ids].filter(([, own]) => own.size > 1).map(([key]) => `doubled: ${key}`),
    ...asked.flatMap(({ id, orderId, wanted, isConfirmation }): Breach[] => {
      const times = versions.get(id)?.size ?? 0;
      const most = isConfirmation ? 0 : 1;
      const isCertain =
        (wanted === "accepted" || wanted === "refused") && !cancelAsked.has(orderId);
      if (times <= most && (times === most || !isCertain)) return [];
      return [`change ${id} of order ${orderId} was sent ${times} times`];
    }),
  ];
};

/** A split order is sent with the values and documents of the other one, whose files can be read. */
const splitsCopied: Check = ({ splits }, { requests, files }) =>
  splits.flatMap(({ from, to }): Breach[] => {
    const [whole, part] = [from, to].map((id) => requests.find(isFirstOf(id)));
    if (whole === undefined || part === undefined) return [`lost: the request of order ${to}`];
    const unread = (part.documents ?? []).filter(
      (one) => files.get(one.document_id) !== one.sha256,
    );
    return [
      ...(isDeepStrictEqual(given(part), given(whole)) ? [] : [`order ${to} differs from ${from}`]),
      ...unread.map(({ document_id: id }) => `lost: the file of document ${id}`),
    ];
  });

const isFirstOf =
  (orderId: string) =>
  ({ kind, order_id }: SentRequest): boolean =>
    kind === "submit" && order_id === orderId;

function given({ requirements, documents }: SentRequest): string[] {
  const values = (requirements ?? []).map(({ slug, value }) => `${slug} ${value ?? ""}`);
  return [...values, ...(documents ?? []).map(({ slug, sha256 }) => `${slug} ${sha256}`)].sort();
}

const CHECKS = [changesEnded, changesApplied, changesSentOnce, splitsCopied] as const;

export function checkAfterSubmission(driven: Driven, sent: SentOrders): Breach[] {
  return CHECKS.flatMap((check) => check(driven, sent));
}

const CHANGES = `select c ->> 'id' as id, c ->> 'status' as status, array(
    select t.data ->> 'status' from orders.timeline t
    where t.order_id = o.id and t.kind = 'change' and t.data ->> 'id' = c ->> 'id' order by t.id) as noted
  from orders.porting_orders o cross join jsonb_array_elements(o.changes) c`;

export async function readSentOrders(
  product: OwnProduct,
  { splits }: Pick<Driven, "splits">,
): Promise<SentOrders> {
  const { databaseUrl } = product;
  const dates = await query<{ id: string; foc: string | null }>(
    databaseUrl,
    "select id, foc_requested as foc from orders.porting_orders",
  );
  const requests = await readMessages(product, "carriers.requests");
  return {
    changes: await query(databaseUrl, CHANGES),
    focRequested: new Map(dates.map(({ id, foc }) => [id, foc])),
    numbers: await query(databaseUrl, "select phone_number, order_id from orders.order_numbers"),
    requests,
    files: await readFiles(
      product,
      splits.flatMap(({ to }) => requests.find(isFirstOf(to)) ?? []),
    ),
  };
}

async function readFiles(
  { apiUrl }: OwnProduct,
  requests: readonly SentRequest[],
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const { document_id: id, url } of requests.flatMap(({ documents }) => documents ?? [])) {
    const { pathname, search } = new URL(url);
    const file = await (await fetch(apiUrl + pathname + search)).arrayBuffer();
    files.set(id, createHash("sha256").update(Buffer.from(file)).digest("hex"));
  }
  return files;
}
