import { describe, expect, it } from "@jest/globals";
import { BROKEN_RUN } from "./file-counts.ts";
import { afterSecondTry, secondTryOf } from "./second-try.ts";

const good = { file: "/p/test/integration/good.test.ts", passed: 3, failed: 0 };
const failed = (path: string) => ({ file: `/p/${path}`, passed: 1, failed: 1 });
const one = failed("test/integration/one.test.ts");
const two = failed("test/e2e/two.test.ts");
const three = failed("services/three.test.ts");

describe("secondTryOf", () => {
  it("has the few files that failed", () => {
    expect(secondTryOf([good, one, two])).toEqual([one.file, two.file]);
    expect(secondTryOf([good])).toEqual([]);
  });

  it("has none where many failed", () => {
    expect(secondTryOf([one, two, three])).toEqual([]);
  });

  it.each(["test/attacks/a.test.ts", "test/regressions/a.test.ts", "test/e2e/faults/a.test.ts"])(
    "has none where %s failed, which tests a guarantee",
    (path) => {
      expect(secondTryOf([one, failed(path)])).toEqual([]);
    },
  );

  it("has none where the run as a whole failed", () => {
    expect(secondTryOf([good, BROKEN_RUN])).toEqual([]);
  });
});

describe("afterSecondTry", () => {
  it("has the second counts of what ran twice, and counts nothing twice", () => {
    const again = { file: one.file, passed: 2, failed: 0 };
    expect(afterSecondTry([good, one, two], [again])).toEqual([good, again, two]);
  });

  it("keeps a failure of the second run as a whole", () => {
    const broken = { file: "", passed: 0, failed: 1 };
    expect(afterSecondTry([good, one], [broken])).toEqual([good, one, broken]);
  });
});
