import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";

const QUEUE = "deliver";
const CONCURRENCY = 100;

const connect = ({ redisPort }) =>
  new Redis({ host: "127.0.0.1", port: redisPort, maxRetriesPerRequest: null });

export async function openQueue(settings) {
  const opts = { attempts: 1, removeOnComplete: true, removeOnFail: true };
  const queue = new Queue(QUEUE, { connection: connect(settings) });
  await queue.waitUntilReady();
  return { add: (jobs) => queue.addBulk(jobs.map((data) => ({ name: QUEUE, data, opts }))) };
}

export async function startWorker(settings, attempt) {
  const worker = new Worker(QUEUE, ({ data }) => attempt(data), {
    connection: connect(settings),
    concurrency: CONCURRENCY,
  });
  worker.on("error", (error) => console.error(error));
  await worker.waitUntilReady();
}
