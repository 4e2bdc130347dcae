import type { Server } from "node:http";
import type { Socket } from "node:net";

/** How fast a client reads what is there for it. */
export interface ReadingPace {
  /** How long it may be slower before its connection is closed. */
  readonly withinMs: number;
  readonly bytesPerSecond: number;
}

/** Since when there was always something to read, and how much was read by then. */
interface Unread {
  since: number;
  bytes: number;
}

const LOOKS_PER_PERIOD = 10;

/**
 * Closes the connections of clients that read slower than the pace, or not at all; an idle connection has nothing to
 * read. All are looked at together, so that a request costs nothing.
 */
export function cutSlowReaders(server: Server, pace: ReadingPace, onCut: () => void): void {
  const sockets = new Map<Socket, Unread | null>();
  const look = (): void => {
    const now = performance.now();
    for (const [socket, unread] of sockets) {
      if (socket.writableLength === 0) sockets.set(socket, null);
      else if (unread === null) sockets.set(socket, { since: now, bytes: bytesRead(socket) });
      else if (isTooSlow(socket, unread, { pace, now })) {
        onCut();
        socket.destroy();
      }
    }
  };
  const looks = setInterval(look, pace.withinMs / LOOKS_PER_PERIOD);
  looks.unref();
  server.on("connection", (socket) => {
    sockets.set(socket, null);
    socket.once("close", () => sockets.delete(socket));
  });
  server.once("close", () => clearInterval(looks));
}

/** Judges each period by itself: what was read fast before does not excuse a standstill. */
function isTooSlow(
  socket: Socket,
  unread: Unread,
  { pace, now }: { readonly pace: ReadingPace; readonly now: number },
): boolean {
  const passedMs = now - unread.since;
  if (passedMs < pace.withinMs) return false;
  const bytes = bytesRead(socket);
  if (((bytes - unread.bytes) * 1_000) / passedMs < pace.bytesPerSecond) return true;
  unread.since = now;
  unread.bytes = bytes;
  return false;
}

/** What the kernel has taken, which is what the client has read and what fits between the two. */
function bytesRead(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
