import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";

const COMMITTERS = 8;

/** The benchmark's requests to a peer's publisher; `queue.add(jobs)` resolves when the jobs are committed. */
export function createPublisher(queue, { event }) {
  let endpoints = 1;
  let prepared = [];

  const jobsOf = (eventId) =>
    Array.from({ length: endpoints }, (_, endpoint) => ({
      id: randomUUID(),
      event_id: eventId,
      event_type: event.type,
      endpoint,
      body: event.body.replaceAll(event.id, eventId),
    }));

  return {
    useEndpoints: (message) => {
      endpoints = message.count;
    },
    prepare: ({ count }) => {
      prepared = Array.from({ length: count }, () => jobsOf(randomUUID()));
    },
    commit: async () => {
      const left = prepared.values();
      const commitAll = async () => {
        for (const jobs of left) await queue.add(jobs);
      };
      await Promise.all(Array.from({ length: COMMITTERS }, commitAll));
    },
    pace: async ({ count, perSecond }) => {
      const answered = [];
      const publish = async () => {
        const eventId = randomUUID();
        await queue.add(jobsOf(eventId));
        answered.push([eventId, Number(process.hrtime.bigint()) / 1e6]);
      };
      const startedAt = performance.now();
      const running = [];
      for (let n = 0; n < count; n += 1) {
        const waitMs = startedAt + (n * 1_000) / perSecond - performance.now();
        if (waitMs > 0) await pause(waitMs);
        running.push(publish());
      }
      await Promise.all(running);
      return answered;
    },
  };
}
