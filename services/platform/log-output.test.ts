import { describe, expect, it } from "@jest/globals";
import { createLogger } from "./logger.ts";
import { LogOutput } from "./log-output.ts";

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
