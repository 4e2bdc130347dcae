/** One message of a stream of Server-Sent Events. */
export interface SseMessage {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Takes a stream of Server-Sent Events apart, whose text arrives in pieces of any size. */
export class SseParser {
  #rest = "";
  #id: string | null = null;
  #event = "";
  #data: string[] = [];

  /** The messages that are whole with this piece. */
  push(piece: string): SseMessage[] {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = lines.pop() ?? "";
    const messages: SseMessage[] = [];
    for (const line of lines) {
      const message = this.#take(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (message !== null) messages.push(message);
    }
    return messages;
  }

  #take(line: string): SseMessage | null {
    if (line === "") return this.#finish();
    const at = line.indexOf(":");
    const name = at === -1 ? line : line.slice(0, at);
    const value = at === -1 ? "" : line.slice(at + 1).replace(/^ /, "");
    if (name === "id") this.#id = value;
    else if (name === "event") this.#event = value;
    else if (name === "data") this.#data.push(value);
    return null;
  }

  /** An empty line ends a message; without data, as after a heartbeat, there is none. */
  #finish(): SseMessage | null {
    const message = { id: this.#id, event: this.#event, data: this.#data.join("\n") };
    const isMessage = this.#data.length > 0;
    this.#id = null;
    this.#event = "";
    this.#data = [];
    return isMessage ? message : null;
  }
}
