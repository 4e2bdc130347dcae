import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { temporaryFolder } from "../../test/support/lifetime/temporary-folder.ts";
import { checkCarriers } from "./check-carriers.ts";

let folder: string;

beforeEach(() => {
  folder = temporaryFolder("check-carriers");
  cpSync("data/carriers", folder, { recursive: true });
});

/** Changes the text of a file. */
function edit(file: string, change: (text: string) => string): void {
  const path = join(folder, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

const faultsOf = (): string[] =>
  checkCarriers(folder).faults.map((fault) => fault.replace(`${folder}/`, ""));

describe("npm run carriers -- check", () => {
  it("finds no fault in the shipped files", () => {
    expect(checkCarriers("data/carriers").faults).toEqual([]);
  });

  it("names each kind that no status means, and notes each code that none means", () => {
    edit("providers/test.json", (text) =>
      text.replace(/\n {4}"FOC_MOVED"[^\n]*/, "").replace(/\n {4}"REFUSED"[^\n]*/, ""),
    );
    expect(faultsOf()).toEqual([
      "providers/test.json#/statuses: no status means date_moved",
      "providers/test.json#/statuses: no status means refused",
    ]);
    const { notes } = checkCarriers(folder);
    const codes = notes.find((note) => note.includes("providers/test.json#/codes: no code means"));
    expect(codes).toMatch(/[ ,]sv_failure(,|$)/);
    expect(codes).not.toContain("pin_invalid");
  });

  it("names a value that is not known, with its pointer", () => {
    edit("providers/test.json", (text) =>
      text.replace('"acknowledged"', '"noticed"').replace('"pin_invalid"', '"pin_odd"'),
    );
    const faults = faultsOf();
    expect(faults).toHaveLength(2);
    expect(faults[0]).toMatch(/^providers\/test\.json#\/statuses\/RECEIVED: /);
    expect(faults[1]).toMatch(/^providers\/test\.json#\/codes\/PIN_MISMATCH: /);
  });

  it("names what is wrong with the ranges of a country", () => {
    mkdirSync(join(folder, "terms"), { recursive: true });
    const files = {
      us: { ranges: [{ prefix: "+1436", number_type: "local" }, { prefix: "+1621" }] },
      ca: { ranges: [{ prefix: "+44", number_type: "lokal" }, { prefix: "1" }] },
      gb: { ranges: [{ prefix: "+33" }] },
      zz: { ranges: [] },
    };
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, `terms/${name}.json`), JSON.stringify(content));
    }
    expect(faultsOf()).toEqual([
      expect.stringMatching(/^terms\/ca\.json#\/ranges\/0\/number_type: /),
      "terms/ca.json#/ranges/1/prefix: not the beginning of an E.164 number",
      "terms/gb.json#/ranges/0/prefix: +33 is not of the country: its numbers begin with +44",
      "terms/zz.json#: its name is not a country's, such as us.json",
    ]);
  });

  it("names a provider without a file, and JSON that does not parse", () => {
    edit("directory.json", (text) => text.replace('"provider": "test"', '"provider": "tset"'));
    edit("providers/us-lsr.json", () => "{");
    const [directory, provider] = faultsOf();
    expect(directory).toBe(
      "directory.json#/carriers/test/provider: there is no file providers/tset.json; " +
        "there are gb-gateway, manual, platform, sandbox, test, us-lsr",
    );
    expect(provider).toMatch(/^providers\/us-lsr\.json#: not valid JSON: /);
  });

  it("says where there is no folder", () => {
    expect(() => checkCarriers("/nowhere")).toThrow(
      "CARRIERS_DIR /nowhere cannot be read: ENOENT.",
    );
  });
});
