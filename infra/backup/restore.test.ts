import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../project-root.ts";
import { KEPT_FILES, keptFilesLines } from "./restore.ts";

const text = (path: string): string => readFileSync(join(projectRoot, path), "utf8");

describe("what is kept beside the database", () => {
  it("is named by the book's step and by the restore itself", () => {
    const [, book = ""] = text("docs/operations.md").split("## Backup and restore");
    const [, step = ""] = /\n3\. (Copy[^]*?)\n\n/.exec(book) ?? [];
    for (const name of Object.keys(KEPT_FILES)) {
      expect([name, step]).toEqual([name, expect.stringContaining(`\`${name}\``)]);
      expect(keptFilesLines().join("\n")).toContain(name);
    }
  });

  it("is every file with a secret that a start makes, but the logins that are set at each start", () => {
    const sources = ["infra/start", "infra/local-stack"].flatMap((folder) =>
      readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
        .map((file) => text(join(folder, file))),
    );
    const named = sources.flatMap((source) =>
      [...source.matchAll(/join\([\w.]*dataDir, "([\w-]+(?:\.json|\.key|-password))"\)/g)].map(
        ([, name = ""]) => name,
      ),
    );
    const remade = ["credentials.json", "ports.json", "postgres-logins.json"];
    const kept = Object.keys(KEPT_FILES).filter((name) => name !== "documents");
    expect([...new Set(named)].filter((name) => !remade.includes(name)).sort()).toEqual(
      kept.sort(),
    );
  });
});
