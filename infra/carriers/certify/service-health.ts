import { z } from "zod";

const measured = z.object({ status: z.string() });

/** What is read of the desk's `GET /desk/v1/health`. */
const health = z.object({
  outbox: measured.extend({ depth: z.number(), oldest_age_seconds: z.number() }),
  consumer_groups: z.array(measured.extend({ group: z.string(), lag: z.number() })).nullable(),
});

/** Why the service itself may be late, as a sentence; null where it is not, or does not say. */
export function delayOf(answer: unknown): string | null {
  const { data } = health.safeParse(answer);
  if (data === undefined) return null;
  const { outbox, consumer_groups: groups } = data;
  const late = [
    ...(outbox.status === "ok"
      ? []
      : [
          `its outbox holds ${outbox.depth} messages, the oldest for ${Math.round(outbox.oldest_age_seconds)} s`,
        ]),
    ...(groups ?? [])
      .filter(({ status }) => status !== "ok")
      .map(({ group, lag }) => `${group} has ${lag} messages to read`),
  ];
  if (late.length === 0) return null;
  return `The service itself is behind (${late.join("; ")}), so this may not be the integration's fault: see the desk's health page`;
}
