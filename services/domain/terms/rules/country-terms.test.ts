import { describe, expect, it } from "@jest/globals";
import { COUNTRIES } from "../../countries/countries.ts";
import { readCarriers } from "../../carrier/read-carriers.ts";
import { completeTerms, parseTerms, readTerms, withChanges } from "./country-terms.ts";

const rule = (fields: object) => ({ days: 4, source: "a test", ...fields });
const kind = (fields: object = {}) => ({
  lead_times: [rule({})],
  days: [1, 2, 3],
  windows: [{ from: "10:00", to: "17:00" }],
  source: "a test",
  ...fields,
});

function faultsOf(country: string, content: unknown): string[] {
  const read = readTerms(country, JSON.stringify(content));
  return "faults" in read ? read.faults.map(({ pointer, detail }) => `${pointer}: ${detail}`) : [];
}

describe("the shipped terms", () => {
  it.each([...COUNTRIES])("of %s say everything for every kind", (code, { types }) => {
    const terms = readCarriers("data/carriers").terms(code, null);
    expect(Object.keys(terms?.kinds ?? {}).toSorted()).toEqual(Object.keys(types).toSorted());
  });
});

describe("a country's file", () => {
  it("may say only what it changes", () => {
    expect(faultsOf("ca", {})).toEqual([]);
    expect(faultsOf("ca", { ranges: [{ prefix: "+1436", number_type: "local" }] })).toEqual([]);
  });

  it.each([
    ["xx", {}, "#: its name is not a country's, such as us.json"],
    ["US", {}, "#: its name is not a country's, such as us.json"],
    ["gb", { time_zone: "Europe/Nowhere" }, "#/time_zone: not a time zone"],
    ["gb", { ranges: [{ prefix: "+1212" }] }, "#/ranges/0/prefix: +1212 is not of the country"],
    [
      "gb",
      { zones: [{ time_zone: "Europe/London", prefixes: ["+49"], source: "s" }] },
      "#/zones/0/prefixes/0: +49 is not of the country",
    ],
    ["gb", { holidays: { of: "GB", regions: ["XX"], source: "s" } }, "#/holidays: it names a reg"],
    ["us", { kinds: { shared_cost: kind() } }, "#/kinds/shared_cost: the country has no such"],
    [
      "gb",
      { kinds: { local: kind({ lead_times: [rule({ when: { numbers_from: 2 } })] }) } },
      "#/kinds/local/lead_times: the last one has no condition",
    ],
    [
      "gb",
      { kinds: { local: kind({ windows: [{ from: "17:00", to: "10:00" }] }) } },
      "#/kinds/local/windows/0: it ends before it begins",
    ],
    ["gb", { document_ages: { passport: { days: 3, source: "s" } } }, "#/document_ages/passport"],
    ["gb", { document_ages: { loa: { days: 0, source: "s" } } }, "#/document_ages/loa/days"],
  ])("%s %j is refused: %s", (country, content, fault) => {
    expect(faultsOf(country, content).join()).toContain(fault);
  });

  it("names only requirements and values that its kinds have", () => {
    const when = (values: object) => ({
      kinds: { local: kind({ lead_times: [rule({ when: { values } }), rule({})] }) },
    });
    const at = "#/kinds/local/lead_times/0/when/values";
    expect(faultsOf("gb", when({ line_type: ["multi"] }))).toEqual([]);
    expect(faultsOf("gb", when({ line_type: ["many"] }))).toEqual([
      `${at}/line_type: many is none of single, multi`,
    ]);
    expect(faultsOf("gb", when({ entity_name: ["Acme"] }))).toEqual([
      `${at}/entity_name: the kind has no requirement of type choice with this slug`,
    ]);
  });

  it("that is not valid ends the start with every fault", () => {
    expect(() => parseTerms("gb", "{")).toThrow("terms/gb.json is not valid. #: not valid JSON");
  });
});

describe("terms over terms", () => {
  const shipped = parseTerms("gb", JSON.stringify({ kinds: { local: kind(), mobile: kind() } }));

  it("replace what they say, kind by kind; their ranges come first", () => {
    const changed = withChanges(
      { ...shipped, time_zone: "Europe/London", ranges: [{ prefix: "+441" }] },
      { kinds: { local: kind({ days: [6] }) }, ranges: [{ prefix: "+442" }] },
    );
    expect(changed.kinds).toMatchObject({ local: { days: [6] }, mobile: { days: [1, 2, 3] } });
    expect(changed).toMatchObject({
      time_zone: "Europe/London",
      ranges: [{ prefix: "+442" }, { prefix: "+441" }],
    });
  });

  it("that leave something out are refused", () => {
    expect(() => completeTerms("GB", shipped)).toThrow(
      "The file terms/gb.json does not say #/time_zone, #/cut_off, #/holidays, #/kinds/national, #/kinds/toll_free, #/kinds/shared_cost.",
    );
  });
});
