import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../../infra/project-root.ts";
import { webhookHeaders } from "../client/webhooks/sign-webhook.ts";
import { npsHost } from "../../test/support/programs/nps-host.ts";
import { wordsOf } from "./completion/words-of.ts";
import { EXIT_CODES } from "./errors/exit-codes.ts";
import { createProgram } from "./program.ts";
import { runNps } from "./run-nps.ts";
import { Session } from "./session.ts";

async function run(...args: string[]) {
  const { host, written } = npsHost(args);
  return { code: await runNps(host), ...written };
}

const tree = () => wordsOf(createProgram(new Session(npsHost([]).host)));

describe("the command line", () => {
  it.each([
    [["--help"], 0],
    [["events", "list", "--help"], 0],
    [["--version"], 0],
    [["evnts"], 2],
    [["events"], 2],
    [["events", "list", "--type", "no.such"], 2],
    [["events", "list", "--limit", "many"], 2],
    [["orders", "list", "--limit", "0"], 2],
    [["endpoints", "list", "--limit", "0"], 2],
    [["trigger", "no.such"], 2],
    [["listen"], 2],
    [["orders", "show"], 2],
    [["listen", "--forward-to", "ftp://x"], 2],
    [["completion", "tcsh"], 2],
    [["orders", "list"], 3],
  ])("%j ends with %i", async (args, code) => {
    expect((await run(...args)).code).toBe(code);
  });

  it("says what is wrong on standard error, and nothing on standard output", async () => {
    const { stdout, stderr } = await run("orders", "list");
    expect(stdout).toBe("");
    expect(stderr).toContain("nps login");
  });

  it.each([
    [{ NPS_API_URL: "127.0.0.1:3000", NPS_API_KEY: "nps_live_x" }, 2],
    [{ NPS_API_URL: "localhost:3000", NPS_API_KEY: "nps_live_x" }, 2],
    [{ NPS_API_URL: "http://127.0.0.1:3000", NPS_API_KEY: "nps_live_x\nnps_live_y" }, 3],
  ])("names the variable that is wrong, not its value: %j", async (env, code) => {
    const { host, written } = npsHost(["orders", "list"], { env });
    expect(await runNps(host)).toBe(code);
    expect(written.stderr).toContain(code === 2 ? "NPS_API_URL" : "NPS_API_KEY");
    expect(written.stderr).not.toContain("nps_live_");
  });

  it("takes the secret to verify with from a variable, which the shell's history does not keep", async () => {
    const secret = `whsec_${Buffer.alloc(32).toString("base64")}`;
    const at = { eventId: "1", eventType: "loa.signed", secret, atSeconds: 1_767_225_600 };
    const header = webhookHeaders("{}", at)["Porting-Signature"] ?? "";
    const args = ["verify", "--offline", "--header", header, "--at", String(at.atSeconds)];
    const verify = (env: NodeJS.ProcessEnv) =>
      runNps(npsHost(args, { env, stdin: Readable.from([Buffer.from("{}")]) }).host);
    expect(await verify({ WEBHOOK_SECRETS: `whsec_eA==,${secret}` })).toBe(0);
    expect(await verify({ WEBHOOK_SECRETS: "whsec_eA==" })).toBe(7);
    expect(await verify({})).toBe(2);
  });

  it("has --json and a description on every command that prints a result", () => {
    const { host } = npsHost([]);
    const program = createProgram(new Session(host));
    const leaves = program.commands.flatMap((one) =>
      one.commands.length > 0 ? one.commands : one,
    );
    expect(leaves.length).toBeGreaterThan(20);
    const without = leaves.filter(({ options }) => !options.some(({ long }) => long === "--json"));
    expect(without.map((one) => one.name())).toEqual(["completion"]);
    expect(leaves.filter((one) => one.description() === "")).toEqual([]);
  });

  it("lists what the sandbox can bring about, without a service", async () => {
    const { code, stdout } = await run("trigger", "--json");
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n")).toHaveLength(15);
    expect(JSON.parse(stdout.split("\n")[0] ?? "")).toMatchObject({
      type: "porting_order.created",
    });
  });

  it("sends no examples to a service elsewhere unless it is said to be a sandbox", async () => {
    const env = { NPS_API_URL: "https://api.example.com", NPS_API_KEY: "k" };
    for (const args of [
      ["orders", "fill", "1"],
      ["trigger", "loa.signed"],
    ]) {
      const { host, written } = npsHost(args, { env });
      expect(await runNps(host)).toBe(2);
      expect(written.stderr).toContain("--sandbox");
    }
  });
});

describe("docs/cli.md", () => {
  const text = readFileSync(join(projectRoot, "docs", "cli.md"), "utf8");

  it("names every command", () => {
    const paths = tree().filter(({ path, commands }) => path !== "" && commands.length === 0);
    expect(paths.filter(({ path }) => !text.includes(`\`nps ${path}`))).toEqual([]);
  });

  it("names every exit code", () => {
    const codes = [...text.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT_CODES));
  });
});
