import { describe, expect, it } from "@jest/globals";
import { classifyNumber, contradictsPlan, orderTypeOf } from "./classify-number.ts";

describe("the kind of a number", () => {
  it.each([
    ["+12125551234", "US", null],
    ["+14165551234", "CA", null],
    ["+18002255288", "US", "toll_free"],
    ["+18335551234", "US", "toll_free"],
    ["+18885551234", "US", "toll_free"],
    ["+442079460000", "GB", "local"],
    ["+441614960000", "GB", "local"],
    ["+443001234567", "GB", "national"],
    ["+443331234567", "GB", "national"],
    ["+448001111111", "GB", "toll_free"],
    ["+448081570000", "GB", "toll_free"],
    ["+447400123456", "GB", "mobile"],
    ["+33142345678", "FR", "local"],
    ["+33912345678", "FR", "national"],
    ["+33800123456", "FR", "toll_free"],
    ["+33805123456", "FR", "toll_free"],
    ["+33612345678", "FR", "mobile"],
    ["+33756789012", "FR", "mobile"],
    ["+33810123456", "FR", "shared_cost"],
    ["+4930123456", "DE", "local"],
    ["+49891234567", "DE", "local"],
    ["+4932221234567", "DE", "national"],
    ["+498001234567", "DE", "toll_free"],
    ["+4918051234567", "DE", "shared_cost"],
    ["+4915123456789", "DE", "mobile"],
    ["+34912345678", "ES", "local"],
    ["+34612345678", "ES", "mobile"],
    ["+34712345678", "ES", "mobile"],
    ["+34900123456", "ES", "toll_free"],
    ["+34511234567", "ES", "national"],
    ["+34902123456", "ES", "shared_cost"],
    ["+61291234567", "AU", "local"],
    ["+61412345678", "AU", "mobile"],
    ["+611800123456", "AU", "toll_free"],
    ["+61147101234", "AU", "national"],
    ["+611300123456", "AU", "shared_cost"],
    ["+61136123", "AU", "shared_cost"],
  ])("%s is %s %s", (number, country_code, number_type) => {
    expect(classifyNumber(number)).toEqual({ country_code, number_type });
  });

  it.each([
    ["+447911123456", "GB"],
    ["+441534123456", "GB"],
    ["+447624123456", "GB"],
    ["+61891641234", "AU"],
    ["+61891621234", "AU"],
  ])("%s of an island belongs to %s, whose numbering plan it shares", (number, country) => {
    expect(classifyNumber(number)?.country_code).toBe(country);
  });

  it.each(["+19002345678", "+15002345678", "+447012345678", "+33892123456"])(
    "%s has a special price or purpose and cannot be ordered",
    (number) => {
      expect(classifyNumber(number)?.number_type).toBe("other");
    },
  );

  it.each([
    "2125551234",
    "+1212555",
    "+0123456789",
    "+12125551234 ",
    "+1 212 555 1234",
    "+٣٣٣",
    "",
  ])("%j is not a valid number", (text) => {
    expect(classifyNumber(text)).toBeNull();
  });

  // New area codes were refused until the library had learned of them, and nobody could overrule it.
  it.each([
    ["+14365551234", "US"],
    ["+16215551234", "US"],
  ])(
    "%s, which libphonenumber does not know, has its plan's form and the type that the customer says",
    (number, country_code) => {
      const kind = { country_code, number_type: null, isUnlisted: true } as const;
      expect(classifyNumber(number)).toEqual(kind);
      const types = [undefined, "mobile", "toll_free"] as const;
      expect(types.map((type) => orderTypeOf(kind, type))).toEqual([
        "local",
        "mobile",
        "toll_free",
      ]);
      expect(contradictsPlan(kind, "toll_free")).toBe(false);
    },
  );

  it.each([
    ["+12121551234", "a central office begins with 2 to 9"],
    ["+14364111234", "a central office is no service such as 411"],
    ["+15555551234", "an area code does not end in two equal digits"],
    ["+12915551234", "a 9 in the middle is kept for expansion"],
    ["+1436555123", "a digit is missing"],
    ["+33012345678", "an area does not begin with 0"],
    ["+9991234567890", "no country has the code"],
  ])("%s is of no plan: %s", (number) => expect(classifyNumber(number)).toBeNull());

  it("is that of the range that an operator has added, if its length is possible", () => {
    const rangeOf = () => ({ country_code: "CA", number_type: "toll_free" }) as const;
    expect(classifyNumber("+18225551234", rangeOf)).toEqual(rangeOf());
    expect(classifyNumber("+1822555123", rangeOf)).toBeNull();
  });

  it("is the customer's choice only if the plan leaves it open", () => {
    const either = { country_code: "US", number_type: null };
    expect(orderTypeOf(either, "mobile")).toBe("mobile");
    expect(orderTypeOf(either, "toll_free")).toBe("local");
    expect(orderTypeOf(either, undefined)).toBe("local");
    expect(orderTypeOf({ country_code: "GB", number_type: "local" }, "mobile")).toBe("local");
  });
});
