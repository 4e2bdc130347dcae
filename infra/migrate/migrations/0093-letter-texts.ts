import type { MigrationInterface, QueryRunner } from "typeorm";

/** What a letter that we printed states, so that it need not be opened to look for the order's values in it. */
export class LetterTexts1700000000093 implements MigrationInterface {
  name = "LetterTexts1700000000093";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("alter table orders.documents drop column page_texts");
  }
}

const UP = `
alter table orders.documents add column page_texts text[];
comment on column orders.documents.page_texts is 'what each page of a letter that we printed states; null: an upload';
`;
