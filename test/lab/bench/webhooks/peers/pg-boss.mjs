import { setTimeout as pause } from "node:timers/promises";
import PgBoss from "pg-boss";

const QUEUE = "deliver";
/** Several workers, so that polls every 0.5 s, its shortest interval, add up to one about every 60 ms. */
const WORKERS = 8;
const BATCH_SIZE = 100;
const POLL_SECONDS = 0.5;

async function start(databaseUrl) {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 10 });
  boss.on("error", (error) => console.error(error));
  await boss.start();
  await boss.createQueue(QUEUE);
  return boss;
}

export async function openQueue({ databaseUrl }) {
  const boss = await start(databaseUrl);
  return {
    add: (jobs) => boss.insert(jobs.map((data) => ({ name: QUEUE, data, retryLimit: 0 }))),
  };
}

/** A worker that found a full batch polls again at once instead of after its interval. */
export async function startWorker({ databaseUrl }, attempt) {
  const boss = await start(databaseUrl);
  for (let n = 0; n < WORKERS; n += 1) {
    const options = { batchSize: BATCH_SIZE, pollingIntervalSeconds: POLL_SECONDS };
    const id = await boss.work(QUEUE, options, async (jobs) => {
      await Promise.all(jobs.map(({ data }) => attempt(data)));
      if (jobs.length === BATCH_SIZE) boss.notifyWorker(id);
    });
    await pause((POLL_SECONDS * 1_000) / WORKERS);
  }
}
