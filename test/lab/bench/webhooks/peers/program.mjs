/**
 * One process of a peer, `program.mjs <peer> worker|publisher`: its settings come as JSON in PEER_SETTINGS, its
 * requests over IPC. It ends with the process that started it.
 */
import pg from "pg";
import { createAttempt } from "./attempt.mjs";
import { createPublisher } from "./publisher.mjs";

const [peerName, role] = process.argv.slice(2);
const settings = JSON.parse(process.env.PEER_SETTINGS);
const peer = await import(`./${peerName}.mjs`);

/** The handlers of messages, by kind. */
const answers =
  role === "worker"
    ? await startWorker()
    : createPublisher(await peer.openQueue(settings), settings);

async function startWorker() {
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 10 });
  await peer.startWorker(settings, await createAttempt(pool, settings));
  return {};
}

process.on("message", async ({ id, kind, ...fields }) => {
  try {
    process.send({ id, value: (await answers[kind](fields)) ?? null });
  } catch (error) {
    process.send({ id, error: String(error?.stack ?? error) });
  }
});
process.on("disconnect", () => process.exit());
process.send({ id: 0, value: null });
