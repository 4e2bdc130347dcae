import { useQueryClient, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState, type ReactNode } from "react";
import type { StreamHints } from "../../services/desk/stream/answers.ts";
import { fetchAgain, useRefusals, type OnRefused } from "../ui/http/read.ts";
import type { Problem } from "../ui/http/request.ts";
import { caseKey, isOwnClaim } from "./reviews/reviews.ts";
import { SESSION_KEY } from "./session.ts";

/** `polling`: the stream is lost, and what is on the page is fetched every 15 s instead. */
type Connection = "connecting" | "live" | "polling";

const POLL_MS = 15_000;

/** Which queries each hint of the stream makes stale (docs/contract/desk-api.md, GET /stream). */
const STALE: Readonly<Record<string, (data: unknown) => readonly QueryKey[]>> = {
  // Each look at a case's sensitive values is recorded, so that only the case that changed is fetched again.
  review: (data) => [
    ["reviews", "queue"],
    ["reviews", "ahead", orderOf(data)],
    caseKey(orderOf(data)),
  ],
  // A customer's comment is an order's news, and shown on the page of its case.
  order: (data) => [["orders"], caseKey((data as StreamHints["order"]).id)],
  counts: () => [["reviews", "queue"]],
  health: () => [["health"]],
};

/** What a hint makes stale too, and is dear to ask for: it is fetched again when it is shown next. */
const STALE_LATER: Readonly<Record<string, QueryKey>> = { order: ["carriers"] };

/** The hints after which something else may concern the operator, and how soon that is asked: bursts are asked for once. */
const ALERTING = new Set(["review", "order", "counts"]);
const ALERTS_MS = 2_000;

function orderOf(data: unknown): string {
  return (data as StreamHints["review"]).order_id;
}

const ConnectionContext = createContext<Connection>("connecting");

export function useConnection(): Connection {
  return useContext(ConnectionContext);
}

/** Follows the desk's stream, and fetches again what it says has changed. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>("connecting");
  useSessionEnd();
  useEffect(
    () =>
      followStream(client, {
        onOpen: () => {
          setConnection("live");
          void fetchAgain(client, { predicate: ({ queryKey }) => queryKey[0] !== "session" });
        },
        onLost: () => {
          setConnection("polling");
          // A refused stream may mean that the session has ended, which only a request tells.
          void client.invalidateQueries({ queryKey: SESSION_KEY });
        },
      }),
    [client],
  );
  useEffect(() => {
    if (connection !== "polling") return;
    const timer = setInterval(() => void client.invalidateQueries(), POLL_MS);
    return () => clearInterval(timer);
  }, [client, connection]);
  return <ConnectionContext value={connection}>{children}</ConnectionContext>;
}

interface Listener {
  readonly onOpen: () => void;
  readonly onLost: () => void;
}

/**
 * Opens the stream until what it returns is called. The browser itself connects again after a broken connection, but
 * never after an answer that is an error, such as a proxy's 502 while the service starts: then it is opened again here.
 */
function followStream(client: QueryClient, { onOpen, onLost }: Listener): () => void {
  let stream: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let alerting: ReturnType<typeof setTimeout> | undefined;
  const askForAlerts = (): void => {
    alerting = undefined;
    void fetchAgain(client, { queryKey: ["alerts"] });
  };
  const open = (): void => {
    const opened = new EventSource("/desk/v1/stream");
    stream = opened;
    opened.addEventListener("open", onOpen);
    opened.addEventListener("error", () => {
      onLost();
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(open, POLL_MS);
    });
    for (const [type, keysOf] of Object.entries(STALE)) {
      opened.addEventListener(type, ({ data }: MessageEvent<string>) => {
        const said: unknown = JSON.parse(data);
        for (const queryKey of keysOf(said)) {
          if (!isOwnClaim(client, queryKey, said)) void fetchAgain(client, { queryKey });
        }
        if (ALERTING.has(type)) alerting ??= setTimeout(askForAlerts, ALERTS_MS);
        const queryKey = STALE_LATER[type];
        if (queryKey !== undefined) {
          void client.invalidateQueries({ queryKey, refetchType: "none" });
        }
      });
    }
  };
  open();
  return () => {
    clearTimeout(timer);
    clearTimeout(alerting);
    stream?.close();
  };
}

/** Asks who is signed in as soon as any request is refused for want of a session, so that signing in is offered. */
function useSessionEnd(): void {
  useRefusals(askWhoIsSignedIn);
}

const seen = new WeakSet<Problem>();

const askWhoIsSignedIn: OnRefused = (client, refusal) => {
  if (seen.has(refusal)) return;
  seen.add(refusal);
  void client.invalidateQueries({ queryKey: SESSION_KEY });
};
