import type { Dashboard } from "../dashboard.ts";
import { ANSWERED, quantile, rate, REQUESTS } from "./queries.ts";

const LATENCY = `http_request_seconds{${ANSWERED}}`;
const FAILED = `${REQUESTS},status=~"5.."`;

export const API: Dashboard = {
  uid: "porting-api",
  title: "Number porting: API and desk",
  description: "Requests, errors, latency and the error budget of the two front doors.",
  servicesOf: "http_requests_total",
  rows: [
    {
      title: "Objectives: 99.9 % without 5xx over 30 days, 95 % within half a second",
      panels: [
        {
          title: "Requests",
          kind: "stat",
          unit: "reqps",
          queries: [
            {
              expr: `sum by (service) (${rate(`http_requests_total{${REQUESTS}}`)})`,
              legend: "{{service}}",
            },
          ],
        },
        {
          title: "Failed, last hour",
          kind: "stat",
          unit: "percentunit",
          thresholds: [0.001, 0.0144],
          queries: [
            {
              expr: 'service:http_request_errors:ratio_rate1h{service=~"$service"}',
              legend: "{{service}}",
            },
          ],
        },
        {
          title: "Error budget spent, 30 days",
          description: "1 is all of it: 0.1 % of the requests of 30 days have failed.",
          kind: "stat",
          unit: "percentunit",
          thresholds: [0.5, 1],
          queries: [
            {
              expr: `(sum by (service) (increase(http_requests_total{${FAILED}}[30d])) or 0 * sum by (service) (increase(http_requests_total{${REQUESTS}}[30d]))) / sum by (service) (increase(http_requests_total{${REQUESTS}}[30d])) / 0.001`,
              legend: "{{service}}",
            },
          ],
        },
        {
          title: "Slower than half a second",
          kind: "stat",
          unit: "percentunit",
          thresholds: [0.05],
          queries: [
            {
              expr: 'service:http_requests_slow:ratio_rate5m{service=~"$service"}',
              legend: "{{service}}",
            },
          ],
        },
      ],
    },
    {
      title: "Requests",
      panels: [
        {
          title: "Requests by status class",
          unit: "reqps",
          queries: [
            {
              expr: `sum by (class) (label_replace(${rate(`http_requests_total{${REQUESTS}}`)}, "class", "$1xx", "status", "(.).."))`,
              legend: "{{class}}",
            },
          ],
        },
        {
          title: "Busiest routes",
          unit: "reqps",
          queries: [
            {
              expr: `topk(10, sum by (method, route) (${rate(`http_requests_total{${REQUESTS}}`)}))`,
              legend: "{{method}} {{route}}",
            },
          ],
        },
        {
          title: "5xx by route",
          unit: "reqps",
          queries: [
            {
              expr: `sum by (method, route, status) (${rate(`http_requests_total{${FAILED}}`)})`,
              legend: "{{status}} {{method}} {{route}}",
            },
          ],
        },
        {
          title: "Refused requests: 4xx by status",
          unit: "reqps",
          queries: [
            {
              expr: `sum by (status) (${rate(`http_requests_total{${REQUESTS},status=~"4.."}`)})`,
              legend: "{{status}}",
            },
          ],
        },
        {
          title: "Failed requests by window",
          description: "The windows of the alerts on the error budget.",
          unit: "percentunit",
          thresholds: [0.001, 0.0144],
          queries: ["5m", "1h", "6h", "1d"].map((window) => ({
            expr: `service:http_request_errors:ratio_rate${window}{service=~"$service"}`,
            legend: `{{service}} ${window}`,
          })),
        },
      ],
    },
    {
      title: "Latency",
      panels: [
        {
          title: "Time to answer",
          unit: "s",
          queries: [0.5, 0.9, 0.99].map((of) => ({
            expr: quantile(of, LATENCY),
            legend: `p${of * 100}`,
            exemplars: true as const,
          })),
        },
        {
          title: "Slowest routes, p99",
          unit: "s",
          queries: [
            {
              expr: `topk(10, ${quantile(0.99, LATENCY, ["method", "route"])})`,
              legend: "{{method}} {{route}}",
            },
          ],
        },
        {
          title: "Slower than half a second",
          unit: "percentunit",
          thresholds: [0.05],
          queries: [
            {
              expr: 'service:http_requests_slow:ratio_rate5m{service=~"$service"}',
              legend: "{{service}}",
            },
          ],
        },
      ],
    },
    {
      title: "Connections",
      panels: [
        {
          title: "Refused connections",
          description: "Over the limit of an address, or of the server.",
          unit: "ops",
          queries: [
            {
              expr: `sum by (service, reason) (${rate('http_connections_refused_total{service=~"$service"}')})`,
              legend: "{{service}} {{reason}}",
            },
          ],
        },
        {
          title: "Slow readers cut off",
          unit: "ops",
          queries: [
            {
              expr: `sum by (service) (${rate('http_slow_readers_cut_total{service=~"$service"}')})`,
              legend: "{{service}}",
            },
          ],
        },
      ],
    },
  ],
};
