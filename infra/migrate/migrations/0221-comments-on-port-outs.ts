import type { MigrationInterface, QueryRunner } from "typeorm";

/** Comments on port-outs, and which of their customers wait for an answer. */
export class CommentsOnPortOuts1700000000221 implements MigrationInterface {
  name = "CommentsOnPortOuts1700000000221";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COMMENTS);
    await runner.query(UNANSWERED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("alter table orders.port_outs drop unanswered_comment_at");
    await runner.query("delete from orders.comments where order_id is null");
    await runner.query("alter table orders.comments drop port_out_id, alter order_id set not null");
  }
}

const COMMENTS = `
alter table orders.comments alter order_id drop not null,
  add port_out_id uuid references orders.port_outs (id),
  add constraint comments_of_one check (num_nonnulls(order_id, port_out_id) = 1) not valid;
create index comments_of_port_out on orders.comments (port_out_id, id) where port_out_id is not null;
`;

const UNANSWERED = `
-- When its customer wrote the first comment that no comment of the desk has followed.
alter table orders.port_outs add unanswered_comment_at timestamptz;
create index port_outs_unanswered on orders.port_outs (unanswered_comment_at)
  where unanswered_comment_at is not null;
`;
