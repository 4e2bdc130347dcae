import { describe, expect, it } from "@jest/globals";
import { documentsOf } from "../../test/support/kubernetes/chart-files.ts";
import {
  customFaultsOf,
  isCustom,
  kindOf,
} from "../../test/support/kubernetes/custom-resources.ts";

const documents = ["kafka.yaml", "kafka-users.yaml", "postgres.yaml"].flatMap((file) =>
  documentsOf("examples", file),
);

describe("the examples' custom resources", () => {
  it("are all of kinds whose schemas are here", () => {
    expect(documents.filter((one) => !isCustom(one)).map(kindOf)).toEqual([]);
    expect(documents.length).toBeGreaterThan(20);
  });

  it.each(documents.map((one, index) => [`${index} ${kindOf(one)}`, one]))(
    "are valid by their operator's schema: %s",
    (_, document) => {
      expect(customFaultsOf(document)).toEqual([]);
    },
  );

  it("would be refused with an unknown field, a wrong value or a missing one", () => {
    const [pool] = documents as { spec: object }[];
    expect(customFaultsOf({ ...pool, spec: { ...pool?.spec, replica: 3 } })).not.toEqual([]);
    expect(customFaultsOf({ ...pool, spec: { ...pool?.spec, roles: ["leader"] } })).not.toEqual([]);
    expect(customFaultsOf({ ...pool, spec: {} })).not.toEqual([]);
  });
});
