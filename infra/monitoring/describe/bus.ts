import type { Dashboard } from "../dashboard.ts";
import { rate } from "./queries.ts";

export const BUS: Dashboard = {
  uid: "porting-bus",
  title: "Number porting: message bus",
  description: "Outbox and relay, lag of the consumer groups, dead letters.",
  rows: [
    {
      title: "Now",
      panels: [
        {
          title: "Oldest unsent message",
          kind: "stat",
          unit: "s",
          thresholds: [10, 120],
          queries: [{ expr: "max(outbox_oldest_seconds)", legend: "age" }],
        },
        {
          title: "Unsent messages",
          kind: "stat",
          unit: "short",
          thresholds: [2_000, 50_000],
          queries: [{ expr: "max(outbox_unsent_messages)", legend: "messages" }],
        },
        {
          title: "Lag of all groups",
          kind: "stat",
          unit: "short",
          queries: [
            {
              expr: "sum(max by (group, topic) (consumer_group_lag_messages))",
              legend: "messages",
            },
          ],
        },
        {
          title: "Open dead letters",
          kind: "stat",
          unit: "short",
          thresholds: [1],
          queries: [{ expr: "sum(max by (topic) (dead_letters_open))", legend: "messages" }],
        },
        {
          title: "Age of the health sample",
          description: "Lag is sampled once a minute.",
          kind: "stat",
          unit: "s",
          thresholds: [300],
          queries: [{ expr: "time() - max(health_sample_timestamp_seconds)", legend: "age" }],
        },
      ],
    },
    {
      title: "Outbox and relay",
      panels: [
        {
          title: "Age of the oldest unsent message",
          unit: "s",
          thresholds: [10, 120],
          queries: [{ expr: "max(outbox_oldest_seconds)", legend: "age" }],
        },
        {
          title: "Unsent messages",
          unit: "short",
          thresholds: [2_000, 50_000],
          queries: [{ expr: "max(outbox_unsent_messages)", legend: "messages" }],
        },
        {
          title: "Log to read",
          description: "Postgres keeps it until the relay has confirmed it.",
          unit: "bytes",
          thresholds: [1_000_000_000, 3_000_000_000],
          queries: [{ expr: "max(outbox_log_bytes)", legend: "log" }],
        },
        {
          title: "Messages sent",
          unit: "ops",
          queries: [
            { expr: `sum by (instance) (${rate("relayed_total")})`, legend: "{{instance}}" },
          ],
        },
        {
          title: "Sent again",
          description:
            "Messages whose effect was missing, and topics found to have lost messages. Both should stay at 0.",
          unit: "short",
          queries: [
            {
              expr: "sum(increase(reconciled_total[1h]))",
              legend: "messages sent again, last hour",
            },
            { expr: "sum(increase(topics_remade_total[1h]))", legend: "topics remade, last hour" },
          ],
        },
      ],
    },
    {
      title: "Consumer groups",
      panels: [
        {
          title: "Lag by group and topic",
          description: "Of the newest health sample.",
          unit: "short",
          thresholds: [1_000, 20_000],
          queries: [
            {
              expr: "max by (group, topic) (consumer_group_lag_messages)",
              legend: "{{group}}: {{topic}}",
            },
          ],
        },
        {
          title: "Lag after each batch, by consumer",
          description:
            "As the consumers themselves see it: a value stays until the next batch of its partition.",
          unit: "short",
          queries: [
            {
              expr: "sum by (consumer, topic) (max by (consumer, topic, partition) (consumer_lag_messages))",
              legend: "{{consumer}}: {{topic}}",
            },
          ],
        },
        {
          title: "Events stored",
          unit: "ops",
          queries: [
            { expr: `sum(${rate("porting_events_total")})`, legend: "read from the topic" },
            {
              expr: `sum(${rate("events_stored_total")})`,
              legend: "not stored by webhook-sender before",
            },
          ],
        },
      ],
    },
    {
      title: "Dead letters",
      panels: [
        {
          title: "Open, by topic",
          unit: "short",
          thresholds: [1],
          queries: [{ expr: "max by (topic) (dead_letters_open)", legend: "{{topic}}" }],
        },
        {
          title: "New, by consumer and code",
          unit: "short",
          queries: [
            {
              expr: "sum by (consumer, topic, code) (increase(dead_letters_total[$__rate_interval]))",
              legend: "{{consumer}}: {{topic}} {{code}}",
            },
          ],
        },
      ],
    },
  ],
};
