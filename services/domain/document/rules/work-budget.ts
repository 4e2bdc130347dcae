/** The file would take more work to open than any real document does. */
export class BudgetExceeded extends Error {
  constructor() {
    super("the file takes too much work to open");
    this.name = "BudgetExceeded";
  }
}

/** What may be spent on one file, whatever it claims to hold; the unit is the spender's. */
export class WorkBudget {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  get left(): number {
    return this.#left;
  }

  /** @throws `BudgetExceeded` */
  spend(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw new BudgetExceeded();
  }
}
