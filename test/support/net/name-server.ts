import { createSocket } from "node:dgram";
import { decode, encode, type Answer } from "dns-packet";
import { endAfterTests } from "../lifetime/end-after-tests.ts";

export interface NameServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** The names that it was asked for, one entry per packet. */
  readonly asked: readonly string[];
}

/**
 * A name server on the loopback: `addresses` by name, no answer at all for names below `silent.example`, 127.0.0.1 for
 * names below `once.example` the first time and silence after it, and no such name for all others. Closed after the
 * tests.
 */
export async function startNameServer(
  addresses: Readonly<Record<string, string>> = {},
): Promise<NameServer> {
  const asked: string[] = [];
  const answered = new Set<string>();
  const socket = createSocket("udp4", (packet, sender) => {
    const { id = 0, questions = [] } = decode(packet);
    const [question] = questions;
    if (question === undefined) return;
    const { name, type } = question;
    const isAgain = answered.has(`${type} ${name}`);
    asked.push(name);
    answered.add(`${type} ${name}`);
    const isOnce = name.endsWith("once.example");
    if (name.endsWith("silent.example") || (isOnce && isAgain)) return;
    const address = isOnce ? "127.0.0.1" : addresses[name];
    const answers: Answer[] =
      type === "A" && address !== undefined ? [{ type: "A", name, ttl: 1, data: address }] : [];
    const flags = address === undefined ? NO_SUCH_NAME : 0;
    const answer = encode({ type: "response", id, flags, questions, answers });
    socket.send(answer, sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  endAfterTests(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

/** The response code NXDOMAIN (RFC 1035, 4.1.1). */
const NO_SUCH_NAME = 3;
