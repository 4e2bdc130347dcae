/** @tier all */
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { runCommand } from "../../../infra/local-stack/process-owner.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";

/** What the programs of the guide have from elsewhere. */
const AROUND = `
declare const porting: import("./client/porting-client.ts").PortingClient;
declare const phone_numbers: string[];
declare const ticket: { readonly id: string };
declare const orderId: string;
declare const body: Uint8Array;
declare const request: { readonly headers: Record<string, string> };
declare const newSecret: string;
declare const oldSecret: string;
declare function readLastHandledId(): Promise<string | null>;
declare function keepLastHandledId(id: string): Promise<void>;
declare function handle(event: object): Promise<void>;
`;

describe("docs/client.md", () => {
  it("has programs that compile", async () => {
    const guide = await readFile(join(projectRoot, "docs", "client.md"), "utf8");
    const programs = [...guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
    expect(programs.length).toBeGreaterThan(5);
    const folder = temporaryFolder("guide");
    await symlink(join(projectRoot, "packages", "client"), join(folder, "client"));
    await writeFile(join(folder, "around.d.ts"), AROUND);
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    for (const [n, code] of programs.entries()) {
      await writeFile(join(folder, `program-${n}.ts`), `${code}\nexport {};\n`);
    }
    const compilerOptions = {
      target: "es2023",
      module: "nodenext",
      lib: ["es2023"],
      types: ["node"],
      typeRoots: [join(projectRoot, "node_modules", "@types")],
      strict: true,
      exactOptionalPropertyTypes: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      noEmit: true,
    };
    const config = join(folder, "tsconfig.json");
    await writeFile(config, JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    const compiler = join(projectRoot, "node_modules", "typescript", "bin", "tsc");
    const args = [compiler, "--project", config];
    const { stdout } = await runCommand(process.execPath, args, { cwd: folder });
    expect(stdout).toBe("");
  }, 180_000);
});
