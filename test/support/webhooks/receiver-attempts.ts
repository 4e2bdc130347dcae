import type { Socket } from "node:net";
import { expect } from "@jest/globals";
import type { Agent } from "undici";
import { until } from "../../../infra/start/supervisor/until.ts";
import type {
  AttemptErrorCode,
  AttemptLogEntry,
} from "../../../services/domain/webhook/rules/delivery.ts";
import { createAddressPolicy } from "../../../services/platform/net/address-policy.ts";
import {
  createGuardedAgent,
  type GuardedAgentOptions,
} from "../../../services/webhook-sender/attempt/guarded-connect.ts";
import type { TestCertificates } from "../net/test-certificates.ts";
import { attemptOnce } from "./attempt-once.ts";
import { startRawReceiver, type Listening } from "./raw-receiver.ts";

/** Shortened from 15 s and 10 s, for receivers that let an attempt wait for them. */
export const DEADLINE_MS = 1_200;
export const CONNECT_MS = 800;
/** For attempts that end by themselves, however busy the machine is. */
const PATIENT_MS = 10_000;
/** The rest of a body may take 2 s; undici's clock ticks twice a second. */
export const SLACK_MS = 1_000;

export interface AloneOptions {
  readonly url?: string;
  readonly deadlineMs?: number;
}

/** Single attempts at receivers of a test's own. */
export interface ReceiverAttempts {
  readonly agentOf: (options?: Partial<GuardedAgentOptions>) => Agent;
  /** Has a receiver stopped with the others. */
  readonly keep: (receiver: Listening) => Listening;
  readonly receiverOf: (answer: (socket: Socket) => void) => Promise<Listening>;
  readonly answering: (text: string | Buffer) => Promise<Listening>;
  /** An attempt that must end in time and leave no connection behind. */
  readonly attemptAlone: (receiver: Listening, options?: AloneOptions) => Promise<AttemptLogEntry>;
  /** Ends the test's agents and receivers. */
  readonly end: () => Promise<void>;
}

export function prepareAttempts({ ca }: TestCertificates): ReceiverAttempts {
  const running: Listening[] = [];
  const agents: Agent[] = [];
  const agentOf = (options: Partial<GuardedAgentOptions> = {}): Agent => {
    const agent = createGuardedAgent({
      policy: createAddressPolicy(["127.0.0.0/8", "::1/128"]),
      allowHttp: true,
      connectTimeoutMs: PATIENT_MS,
      ca,
      ...options,
    });
    agents.push(agent);
    return agent;
  };
  const keep = (receiver: Listening): Listening => {
    running.push(receiver);
    return receiver;
  };
  const receiverOf = async (answer: (socket: Socket) => void): Promise<Listening> =>
    keep(await startRawReceiver(answer));
  return {
    agentOf,
    keep,
    receiverOf,
    answering: (text) => receiverOf((socket) => void socket.write(text)),
    attemptAlone: async (receiver, { url = urlOf(receiver), deadlineMs = PATIENT_MS } = {}) => {
      const entry = await attemptOnce(agentOf(), url, deadlineMs);
      expect(entry.duration_ms).toBeLessThan(deadlineMs + SLACK_MS);
      await until(() => receiver.open === 0, { timeoutMs: 10_000, what: "the connection's end" });
      return entry;
    },
    end: async () => {
      await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
      for (const receiver of running.splice(0)) receiver.stop();
    },
  };
}

export const urlOf = ({ port }: Listening): string => `http://127.0.0.1:${port}/hooks?x=1`;
export const secureUrlOf = ({ port }: Listening, host = "localhost"): string =>
  `https://${host}:${port}/`;

export const codeOf = ({ error }: AttemptLogEntry): AttemptErrorCode | null => error?.code ?? null;

/** The head of an answer. */
export const head = (status: number | string, ...lines: readonly string[]): string =>
  [`HTTP/1.1 ${status} X`, ...lines, "", ""].join("\r\n");

/** Open sockets of the process, which may include those of other tests' clients. */
export const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
