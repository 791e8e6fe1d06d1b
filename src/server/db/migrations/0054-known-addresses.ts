import { type Kysely, sql } from 'kysely';
import { cleanEmail } from '#shared/email-address.ts';

const AT_ONCE = 500;

type Deed = Readonly<{ id: number; about: number; before: string | null; after: string | null }>;

/**
 * The addresses that accounts had before past ones were kept, as far as the record still says them; those of an account
 * that became part of another belong to that one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows: merges } = await sql<{
    one: number;
    other: number;
  }>`select from_user_id as one, into_user_id as other
    from account_merges where undone_at is null`.execute(db);
  const became = new Map(merges.map(({ one, other }) => [Number(one), Number(other)]));
  const accountNow = (id: number): number => {
    const into = became.get(id);
    return into === undefined ? id : accountNow(into);
  };
  let last = 0;
  for (;;) {
    const { rows } = await sql<Deed>`select id, subject_id as about, before, after from audit
      where id > ${last} and subject = 'user' and subject_id is not null
        and action in ('account.create', 'account.register', 'account.change', 'account.edit', 'account.merge-away')
      order by id limit ${AT_ONCE}`.execute(db);
    for (const { id, about, before, after } of rows) {
      last = Number(id);
      for (const key of new Set([addressIn(before), addressIn(after)])) {
        if (key === '') continue;
        await sql`insert into past_addresses (user_id, email_key)
          select id, cast(${key} as text) from users
          where id = ${accountNow(Number(about))} and email_key <> ${key} and erased_at is null
          on conflict do nothing`.execute(db);
      }
    }
    if (rows.length < AT_ONCE) return;
  }
}

function addressIn(recorded: string | null): string {
  const { email } = (JSON.parse(recorded ?? 'null') ?? {}) as { email?: unknown };
  return typeof email === 'string' ? cleanEmail(email).toLowerCase() : '';
}
