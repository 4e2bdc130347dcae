import type { Dashboard } from "../dashboard.ts";
import { quantile, rate } from "./queries.ts";

export const WEBHOOKS: Dashboard = {
  uid: "porting-webhooks",
  title: "Number porting: webhooks",
  description: "Deliveries, attempts, retries, and how long receivers wait.",
  rows: [
    {
      title: "Now",
      panels: [
        {
          title: "Oldest attempt that is due",
          description: "Not made yet: the sender is late, or a receiver takes no more at once.",
          kind: "stat",
          unit: "s",
          thresholds: [300],
          queries: [{ expr: "max(webhook_oldest_due_seconds)", legend: "overdue" }],
        },
        {
          title: "Oldest undelivered webhook",
          kind: "stat",
          unit: "s",
          thresholds: [14_400],
          queries: [{ expr: "max(webhook_oldest_undelivered_seconds)", legend: "age" }],
        },
        {
          title: "Attempts under way",
          kind: "stat",
          unit: "short",
          queries: [{ expr: "sum(webhook_attempts_in_flight)", legend: "attempts" }],
        },
        {
          title: "Failed attempts, 30 minutes",
          kind: "stat",
          unit: "percentunit",
          thresholds: [0.5],
          queries: [
            {
              expr: '1 - (sum(rate(webhook_attempt_seconds_count{result="succeeded"}[30m])) or vector(0)) / sum(rate(webhook_attempt_seconds_count[30m]))',
              legend: "failed",
            },
          ],
        },
        {
          title: "Endpoints paused, 24 hours",
          kind: "stat",
          unit: "short",
          queries: [
            { expr: "sum(increase(webhook_endpoints_paused_total[24h]))", legend: "endpoints" },
          ],
        },
      ],
    },
    {
      title: "Deliveries",
      panels: [
        {
          title: "Results",
          unit: "ops",
          queries: [
            { expr: `sum by (result) (${rate("webhook_deliveries_total")})`, legend: "{{result}}" },
          ],
        },
        {
          title: "From event to delivery",
          description: "Of the deliveries that succeeded, retries included.",
          unit: "s",
          queries: [0.5, 0.9, 0.99].map((of) => ({
            expr: quantile(of, "webhook_delivery_seconds"),
            legend: `p${of * 100}`,
          })),
        },
        {
          title: "Oldest undelivered webhook",
          unit: "s",
          thresholds: [14_400],
          queries: [{ expr: "max(webhook_oldest_undelivered_seconds)", legend: "age" }],
        },
      ],
    },
    {
      title: "Attempts",
      panels: [
        {
          title: "Attempts by result",
          unit: "ops",
          queries: [
            {
              expr: `sum by (result) (${rate("webhook_attempt_seconds_count")})`,
              legend: "{{result}}",
            },
          ],
        },
        {
          title: "Time that receivers take",
          unit: "s",
          queries: [0.5, 0.9, 0.99].map((of) => ({
            expr: quantile(of, "webhook_attempt_seconds"),
            legend: `p${of * 100}`,
            exemplars: true as const,
          })),
        },
        {
          title: "Attempts under way, by process",
          unit: "short",
          queries: [{ expr: "webhook_attempts_in_flight", legend: "{{instance}}" }],
        },
        {
          title: "Overdue attempts",
          unit: "s",
          thresholds: [300],
          queries: [{ expr: "max(webhook_oldest_due_seconds)", legend: "overdue" }],
        },
        {
          title: "Retry timers",
          description: "Of the newest health sample.",
          unit: "short",
          thresholds: [10_000, 200_000],
          queries: [{ expr: "max by (topic) (webhook_retry_timers)", legend: "{{topic}}" }],
        },
      ],
    },
  ],
};
