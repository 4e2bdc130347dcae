import type { Dashboard } from "../dashboard.ts";
import { quantile, rate } from "./queries.ts";

const OF = '{service=~"$service"}';
const EACH = "{{service}} {{instance}}";

export const PROCESSES: Dashboard = {
  uid: "porting-processes",
  title: "Number porting: processes and database",
  description: "CPU, memory and event loop of each process, its database connections, and disks.",
  servicesOf: "process_start_time_seconds",
  rows: [
    {
      title: "Processes",
      panels: [
        {
          title: "Processes that answer",
          kind: "stat",
          unit: "short",
          queries: [
            { expr: `count by (service) (process_start_time_seconds${OF})`, legend: "{{service}}" },
          ],
        },
        {
          title: "Dependencies that are away",
          description: "What `/readyz` names: 1 while a process is without it.",
          unit: "short",
          thresholds: [1],
          queries: [{ expr: `1 - dependency_ready${OF}`, legend: `${EACH} {{dependency}}` }],
        },
        {
          title: "Time since the start",
          unit: "s",
          queries: [{ expr: `time() - process_start_time_seconds${OF}`, legend: EACH }],
        },
        {
          title: "CPU, cores",
          unit: "short",
          queries: [{ expr: rate(`process_cpu_seconds_total${OF}`), legend: EACH }],
        },
        {
          title: "Memory",
          unit: "bytes",
          queries: [{ expr: `process_resident_memory_bytes${OF}`, legend: EACH }],
        },
        {
          title: "Heap in use",
          unit: "bytes",
          queries: [{ expr: `nodejs_heap_size_used_bytes${OF}`, legend: EACH }],
        },
        {
          title: "Event loop delay, p99",
          description: "Measured at intervals of 0.25 s, which is the lowest value.",
          unit: "s",
          thresholds: [0.5],
          queries: [{ expr: `nodejs_eventloop_lag_p99_seconds${OF}`, legend: EACH }],
        },
        {
          title: "Garbage collection",
          description: "The share of the time that it takes.",
          unit: "percentunit",
          queries: [
            {
              expr: `sum by (service, instance) (${rate(`nodejs_gc_duration_seconds_sum${OF}`)})`,
              legend: EACH,
            },
          ],
        },
        {
          title: "Open file descriptors",
          unit: "percentunit",
          thresholds: [0.8],
          queries: [{ expr: `process_open_fds${OF} / process_max_fds${OF}`, legend: EACH }],
        },
      ],
    },
    {
      title: "Database connections",
      panels: [
        {
          title: "Connections in use",
          description: "Of those that the pool may open.",
          unit: "percentunit",
          queries: [
            {
              expr: `database_pool_connections{service=~"$service",state="busy"} / on (service, instance, pool) database_pool_max_connections${OF}`,
              legend: `${EACH} {{pool}}`,
            },
          ],
        },
        {
          title: "Requests that wait for a connection",
          unit: "short",
          queries: [{ expr: `database_pool_waiting_requests${OF}`, legend: `${EACH} {{pool}}` }],
        },
        {
          title: "Waits for a connection, p90",
          description: "Of the requests that found all connections in use.",
          unit: "s",
          thresholds: [0.5],
          queries: [
            {
              expr: quantile(0.9, `database_pool_wait_seconds${OF}`, ["service", "pool"]),
              legend: "{{service}} {{pool}}",
            },
          ],
        },
      ],
    },
    {
      title: "Disks",
      panels: [
        {
          title: "Free space",
          unit: "percentunit",
          queries: [
            { expr: "min by (disk) (disk_free_bytes / disk_size_bytes)", legend: "{{disk}}" },
          ],
        },
        {
          title: "Free bytes",
          unit: "bytes",
          queries: [{ expr: "min by (disk) (disk_free_bytes)", legend: "{{disk}}" }],
        },
      ],
    },
  ],
};
