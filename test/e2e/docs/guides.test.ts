/** @tier all @needs python3 */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { codeBlocks, type CodeBlock } from "../../../infra/docs-site/code-blocks.ts";
import { SECTIONS } from "../../../infra/docs-site/navigation.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { isCommand, runGuide } from "../../support/docs/run-guide.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import { variablesOf } from "../../support/programs/nps.ts";

const GUIDE_MS = 300_000;

/** Languages of blocks that a reader runs; the others are shown. */
const PROGRAMS: ReadonlySet<string> = new Set(["js", "ts", "python"]);
const SHOWN: ReadonlySet<string> = new Set(["json", "text"]);

/** Blocks without a mark of their own that another test runs. */
const RUN_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  // Every statement, on known data.
  "docs/analytics.md": ["sql", "test/integration/analytics/ten-questions.test.ts"],
  // The two at its start are those of the quick start.
  "docs/cli.md": ["sh", "test/e2e/cli/nps-listen.test.ts"],
  "docs/client.md": ["ts", "test/e2e/client/client-guide.test.ts"],
  // CI runs them on a clean clone, and npm test starts what npm start does.
  "README.md": ["sh", ".ci/run"],
};

/** What the commands of each guide must have printed; in reading order, because later guides use the number of the first. */
const PRINTS: Readonly<Record<string, readonly RegExp[]>> = {
  "docs/guides/quick-start.md": [
    /handled porting_order\.created [0-9a-f-]{36}\n[^]*Forwarding to http:\/\/127\.0\.0\.1:\d+\//,
    /"blocking":\[\{"slug":/,
    /"status":"rejection".*"detail":"Not as on the invoice\."/,
    /"phone_number":"\+12125550143","status":"active"/,
    /"type":"porting_order\.created".*"type":"number\.activated"/,
  ],
  "docs/guides/requests.md": [
    /"prefix":"nps_live_/,
    /HTTP\/1\.1 201 [^]*idempotency-replayed: true/i,
    /"data":\[\{[^]*"has_more":(?:true|false)/,
  ],
  "docs/guides/requirements.md": [
    /"slug":"account_number"/,
    /"earliest_foc":"20/,
    /"field_value":"01P123456SPY"/,
  ],
  "docs/guides/documents-and-letters.md": [
    /"slug":"invoice"/,
    /"sha256":"/,
    /"slug":"loa"/,
    /"status":"in_review"/,
    /"phone_numbers":\["\+12125550169"\][^]*"field_value":"Acme Dental LLC"/,
  ],
  "docs/guides/webhooks.md": [
    /verified number\.activated [0-9a-f-]{36}/,
    /"event_type":"number\.activated"/,
    /"previous_secret_expires_at":"20/,
    /"max_per_second":20/,
  ],
  "docs/guides/recovery.md": [
    /caught up: [1-9]\d* events\n[^]*caught up: 0 events/,
    /"total":[1-9]\d*/,
  ],
  "docs/guides/changes.md": [/"status":"accepted"[^]*"phone_numbers":\["\+12125559910"\]/],
  "docs/guides/numbers.md": [
    /"number_configuration":\{"default":\{"port_out_lock":true,"port_out_pin_set":true/,
    /"accepted":1,"errors":\[\{[^]*"source":"imported"/,
    /"status":"released"/,
  ],
  "docs/guides/port-outs.md": [
    /"port_out_lock":true,"port_out_pin_set":true/,
    /"code":"port_locked"[^}]*"allowed":false/,
    /"status":"rejected".*"code":"subscriber_mismatch"/,
  ],
  "docs/portal.md": [/"url":"http[^"]*#nps_link_/],
};

interface GuideBlock extends CodeBlock {
  readonly file: string;
  readonly firstLine: string;
}

const files = ["README.md", ...SECTIONS.flatMap(({ pages }) => pages.map(({ file }) => file))];
const blocks: readonly GuideBlock[] = files.flatMap((file) =>
  codeBlocks(readFileSync(join(projectRoot, file), "utf8")).map((block) => {
    return { ...block, file, firstLine: block.text.split("\n", 1)[0] ?? "" };
  }),
);
const isElsewhere = ({ file, language }: GuideBlock): boolean =>
  RUN_ELSEWHERE[file]?.[0] === language;
const notRun = blocks.filter(({ attributes }) => "not-run" in attributes);
const run = blocks.filter((block) => !notRun.includes(block) && !isElsewhere(block));
const guides = [...new Set(run.filter(isCommand).map(({ file }) => file))];

let product: OwnProduct;
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder("guides");
  // Of its own: the number of the quick start is another's after a first run.
  product = await startOwnProduct();
  const { apiUrl: api_url, deskUrl: desk_url, apiKey: api_key, deskToken: desk_token } = product;
  mkdirSync(join(folder, ".data"));
  const credentials = JSON.stringify({ api_url, desk_url, api_key, desk_token });
  writeFileSync(join(folder, ".data", "credentials.json"), credentials);
  // What the quick start runs of the clone.
  symlinkSync(join(projectRoot, "infra"), join(folder, "infra"));
}, GUIDE_MS);

describe("the code blocks of README and guides", () => {
  it("are commands, programs, or shown for reading", () => {
    const known = (block: GuideBlock): boolean =>
      isCommand(block) || PROGRAMS.has(block.language) || SHOWN.has(block.language);
    const unknown = run.filter((block) => !known(block));
    expect(unknown.map(({ file, firstLine }) => [file, firstLine])).toEqual([]);
  });

  it("that are programs are saved under a name that a command of the guide runs", () => {
    const programs = run.filter(({ language }) => PROGRAMS.has(language));
    expect(programs.length).toBeGreaterThan(1);
    for (const { file, attributes } of programs) {
      const commands = run.filter((block) => block.file === file && isCommand(block));
      const text = commands.map((block) => block.text).join("\n");
      expect(text).toContain(attributes["file"] ?? `a name for a program of ${file}`);
    }
  });

  it.each(notRun)("are not run with a reason: $file, $firstLine", ({ attributes }) => {
    const reason = attributes["not-run"] ?? "";
    expect(reason.length).toBeGreaterThan(20);
    const tests = reason.match(/test\/[\w/.-]+\.ts/g) ?? [];
    expect(tests.filter((name) => !existsSync(join(projectRoot, name)))).toEqual([]);
  });

  it.each(Object.entries(RUN_ELSEWHERE))("are run by another test: %s", (file, [, by = ""]) => {
    expect(existsSync(join(projectRoot, by))).toBe(true);
    expect(blocks.some((block) => block.file === file && isElsewhere(block))).toBe(true);
  });

  it("of README are the commands that CI runs and the one that starts everything", () => {
    const readme = blocks.filter(({ file }) => file === "README.md");
    const lines = readme.flatMap(({ text }) => text.split("\n"));
    expect(lines.map((line) => line.replace(/ +#.*/, ""))).toEqual([
      "npm ci && npm start",
      "npm ci && npm test",
    ]);
  });
});

describe("a guide", () => {
  it("is one of those whose output is known", () => {
    expect(guides).toEqual(Object.keys(PRINTS));
  });

  it.each(guides)(
    "does what it says: %s",
    async (file) => {
      const { apiUrl: API, apiKey: KEY, deskUrl: DESK, deskToken: TOKEN } = product;
      const env = { API, KEY, DESK, TOKEN, ...variablesOf(product), XDG_CONFIG_HOME: folder };
      const own = run.filter((block) => block.file === file);
      const output = await runGuide({ folder, blocks: own, env });
      for (const text of PRINTS[file] ?? []) expect(output).toMatch(text);
    },
    GUIDE_MS,
  );
});
