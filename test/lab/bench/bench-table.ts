import type { Bench, BenchAlone } from "./bench.ts";
import { apiRequests } from "./benches/api-requests.ts";
import { calls } from "./benches/calls.ts";
import { consolePages } from "./benches/console.ts";
import { createOrder } from "./benches/create-order.ts";
import { deliveryList } from "./benches/delivery-list.ts";
import { eventFeed } from "./benches/event-feed.ts";
import { eventList } from "./benches/event-list.ts";
import { eventLog } from "./benches/event-log.ts";
import { idle } from "./benches/idle.ts";
import { orderList } from "./benches/order-list.ts";
import { orders } from "./benches/orders.ts";
import { relay } from "./benches/relay.ts";
import { retryLateness } from "./benches/retry-lateness.ts";
import { reviewQueue } from "./benches/review-queue.ts";
import { soak, WEBHOOK_BENCHES } from "./webhooks/webhook-benches.ts";

/** Every benchmark, in the order in which they run; the quick ones that are run several times first. */
export const BENCHES: readonly (Bench | BenchAlone)[] = [
  ...WEBHOOK_BENCHES,
  // Before those that leave full tables in the same Postgres, which it goes on tidying up.
  idle,
  orders,
  createOrder,
  apiRequests,
  relay,
  eventLog,
  eventFeed,
  retryLateness,
  calls,
  orderList,
  eventList,
  deliveryList,
  reviewQueue,
  consolePages,
  soak,
];
