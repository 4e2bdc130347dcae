export interface DemoEnd {
  readonly orders: number;
  readonly broken: number;
  readonly tookMs: number;
  /** How often each story was played to its end. */
  readonly played: ReadonlyMap<string, number>;
  readonly hasWebhooks: boolean;
  readonly deskUrl: string;
  /** Of all orders of this run, which is a prefix of their references. */
  readonly run: string;
}

/** What a run of the demo has left, and where to look at it. */
export function summaryLines(end: DemoEnd): string[] {
  const { orders, broken, tookMs, played, hasWebhooks, deskUrl, run } = end;
  const counts = [...played].toSorted(([, one], [, other]) => other - one);
  const brokenOff = broken === 0 ? "" : `; ${broken} broke off`;
  return [
    "",
    `${orders - broken} of ${orders} orders were played in ${Math.round(tookMs / 1_000)} s${brokenOff}:`,
    ...counts.map(([story, count]) => `${String(count).padStart(6)}  ${story}`),
    "",
    hasWebhooks
      ? "Their webhooks went to a receiver of this command, which has ended: those that failed are tried again in vain."
      : "No webhooks were sent.",
    `The desk is at ${deskUrl} (desk_token in credentials.json); the orders' references begin with ${run}.`,
  ];
}
