import { Logger, makeWorkerUtils, run } from "graphile-worker";
import pg from "pg";

const TASK = "deliver";
const CONCURRENCY = 100;
const logger = new Logger(() => () => undefined);

export async function openQueue({ databaseUrl }) {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger });
  await utils.migrate();
  return {
    add: (jobs) =>
      utils.addJobs(jobs.map((payload) => ({ identifier: TASK, payload, maxAttempts: 1 }))),
  };
}

/** Batching as its documentation recommends: a local queue and batched completions. */
export async function startWorker({ databaseUrl }, attempt) {
  await run({
    pgPool: new pg.Pool({ connectionString: databaseUrl, max: 20 }),
    logger,
    noHandleSignals: true,
    parsedCronItems: [],
    taskList: { [TASK]: attempt },
    preset: {
      worker: {
        concurrentJobs: CONCURRENCY,
        localQueue: { size: 5 * CONCURRENCY },
        completeJobBatchDelay: 5,
        failJobBatchDelay: 5,
      },
    },
  });
}
