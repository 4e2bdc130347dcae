import type { Dashboard } from "../dashboard.ts";
import { rate } from "./queries.ts";

const perHour = (selector: string): string => `increase(${selector}[1h])`;

export const ORDERS: Dashboard = {
  uid: "porting-orders",
  title: "Number porting: orders and carriers",
  description:
    "What happens to orders, numbers and port-outs, by their events, and whether carriers answer.",
  rows: [
    {
      title: "Orders",
      panels: [
        {
          title: "Orders, per hour",
          unit: "short",
          queries: [
            {
              expr: `sum by (type) (${perHour('porting_events_total{type=~"porting_order[.].+"}')})`,
              legend: "{{type}}",
            },
          ],
        },
        {
          title: "Numbers and port-outs, per hour",
          unit: "short",
          queries: [
            {
              expr: `sum by (type) (${perHour('porting_events_total{type!~"(porting_order|call)[.].+"}')})`,
              legend: "{{type}}",
            },
          ],
        },
        {
          title: "Calls",
          unit: "ops",
          queries: [
            {
              expr: `sum by (type) (${rate('porting_events_total{type=~"call[.].+"}')})`,
              legend: "{{type}}",
            },
          ],
        },
        {
          title: "Checked documents, per hour",
          unit: "short",
          queries: [
            { expr: `sum by (result) (${perHour("document_checks_total")})`, legend: "{{result}}" },
          ],
        },
        {
          title: "Numbers locked by wrong PINs, per hour",
          unit: "short",
          thresholds: [5],
          queries: [{ expr: `sum(${perHour("port_out_pin_locks_total")})`, legend: "numbers" }],
        },
      ],
    },
    {
      title: "Carriers",
      panels: [
        {
          title: "Silence while an order waits",
          description: "Of the newest health sample.",
          unit: "s",
          thresholds: [86_400, 259_200],
          queries: [
            { expr: "max by (provider) (provider_silence_seconds)", legend: "{{provider}}" },
          ],
        },
        {
          title: "Requests, per hour",
          unit: "short",
          queries: [
            {
              expr: `sum by (provider, kind) (${perHour("carrier_requests_total")})`,
              legend: "{{provider}} {{kind}}",
            },
          ],
        },
        {
          title: "Status updates, per hour",
          unit: "short",
          queries: [
            {
              expr: `sum by (provider, kind) (${perHour("carrier_updates_total")})`,
              legend: "{{provider}} {{kind}}",
            },
          ],
        },
        {
          title: "Statuses that the provider's file does not list, per hour",
          unit: "short",
          thresholds: [1],
          queries: [
            {
              expr: `sum by (provider) (${perHour("carrier_statuses_unknown_total")})`,
              legend: "{{provider}}",
            },
          ],
        },
        {
          title: "Requests that are not sent, per hour",
          description: "They are not among the capabilities of their provider.",
          unit: "short",
          queries: [
            {
              expr: `sum by (provider, kind) (${perHour("carrier_requests_omitted_total")})`,
              legend: "{{provider}} {{kind}}",
            },
          ],
        },
      ],
    },
  ],
};
