import { Writable } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { createLogger, LogOutput, scrub } from "./logger.ts";
import { runInSpan } from "./tracing/tracing.ts";

/** The parsed output of one call. */
function written(write: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown> {
  const lines: string[] = [];
  const into = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  write(createLogger("test", "info", into));
  return JSON.parse(lines.join("")) as Record<string, unknown>;
}

describe("the log", () => {
  it("hides sensitive fields, one level down too, and keeps ids", () => {
    const line = written((log) =>
      log.info(
        { order_id: "o1", api_key: "nps_live_x", request: { pin: "1234", kind: "k" } },
        "done",
      ),
    );
    expect(line).toMatchObject({
      order_id: "o1",
      api_key: "[redacted]",
      request: { pin: "[redacted]", kind: "k" },
      msg: "done",
    });
  });

  it("names the trace of the span in which a line is written, until the span ends", () => {
    const span = { traceId: "t1", traceparent: "00-t1-s1-01", hasEnded: false };
    const within = (hasEnded: boolean) =>
      written((log) =>
        runInSpan({ ...span, hasEnded }, () => log.info({ order_id: "o1" }, "done")),
      );
    expect(within(false)).toMatchObject({ order_id: "o1", trace_id: "t1" });
    expect(within(true)).not.toHaveProperty("trace_id");
    expect(written((log) => log.info("done"))).not.toHaveProperty("trace_id");
  });

  it("scrubs messages and errors", () => {
    const cause = new Error("key nps_live_abcDEF123 of +12125551234");
    const line = written((log) => log.error({ err: cause }, "failed for whsec_QUJD+12125551234"));
    const text = JSON.stringify(line);
    expect(text).not.toMatch(/abcDEF123|QUJD|2125551234/);
    expect(line["msg"]).toBe("failed for whsec_[redacted]");
  });

  it.each(["live", "desk", "sess", "link", "portal"])("scrubs a credential nps_%s_", (kind) => {
    expect(scrub(`of nps_${kind}_abcDEF123.`)).toBe(`of nps_${kind}_[redacted].`);
  });

  it("keeps the last two digits of a phone number in text", () => {
    expect(scrub("call +12125551234 now")).toBe("call +…34 now");
  });
});

/** An output whose device accepts `room` bytes and fails beyond them. */
function onDevice({ room = Infinity, mostWaitingBytes = 100 } = {}) {
  const device = { room, text: "" };
  const output = new LogOutput({
    mostWaitingBytes,
    describeLoss: (lines) => `${lines} lost\n`,
    write: (bytes) => {
      const count = Math.min(bytes.length, device.room);
      if (count === 0) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      device.room -= count;
      device.text += Buffer.from(bytes).toString("utf8", 0, count);
      return count;
    },
  });
  return { device, output };
}

describe("LogOutput", () => {
  it("writes the lines of a tick in their order", () => {
    const { device, output } = onDevice();
    for (const line of ["one\n", "two\n"]) output.write(line);
    output.flushSync();
    expect(device.text).toBe("one\ntwo\n");
  });

  it("keeps what cannot be written, from the byte at which it failed, and goes on there", () => {
    const { device, output } = onDevice({ room: 6 });
    for (const line of ["one\n", "two\n", "three\n"]) output.write(line);
    output.flushSync();
    expect(device.text).toBe("one\ntw");
    output.write("four\n");
    device.room = Infinity;
    output.flushSync();
    expect(device.text).toBe("one\ntwo\nthree\nfour\n");
  });

  it("counts the lines that it cannot keep, and reports them once when writing works again", () => {
    const { device, output } = onDevice({ room: 0, mostWaitingBytes: 8 });
    for (const line of ["one\n", "two\n"]) output.write(line);
    output.flushSync();
    for (const line of ["three\n", "four\n", "five\n"]) output.write(line);
    device.room = Infinity;
    output.flushSync();
    output.write("six\n");
    output.flushSync();
    expect(device.text).toBe("one\ntwo\n3 lost\nsix\n");
  });

  it("tries again by itself", async () => {
    const { device, output } = onDevice({ room: 0 });
    const written = new Promise<void>((resolve) => {
      Object.defineProperty(device, "text", { set: () => resolve(), get: () => "" });
    });
    output.write("one\n");
    output.flushSync();
    device.room = Infinity;
    await written;
  });

  it("never fails the caller of a logger, not even of a fatal line, which is written at once", () => {
    const { output } = onDevice({ room: 0 });
    const log = createLogger("test", "info", output);
    expect(() => log.fatal("the disk is full")).not.toThrow();
  });
});
