import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Who signs a school's service letters, the letters that were issued, and the one-time links to their files. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  for (const [column, most] of [
    ['letter_signer', 120],
    ['letter_title', 120],
    ['letter_wording', 2000],
  ] as const) {
    await run(sql`alter table schools add column ${sql.ref(column)} ${t.text}
      check (length(${sql.ref(column)}) between 1 and ${sql.lit(most)})`);
  }

  await run(sql`create table letter_files (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    form ${t.key} not null check (form in ('pdf', 'zip')),
    total ${t.whole} not null check (total > 0),
    done ${t.whole} not null default 0 check (done >= 0),
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    started_at ${t.instant('started_at')},
    seen_at ${t.instant('seen_at')},
    outcome ${t.key} check (outcome in ('done', 'failed', 'cancelled')),
    made_by ${t.text} check (length(made_by) between 1 and 200)
  ) ${t.end}`);
  await run(sql`create index letter_files_by_age on letter_files (created_at, id)`);
  await run(sql`create index letter_files_of_user on letter_files (user_id, created_at)`);

  await run(sql`create table service_letters (
    id ${t.id},
    code ${t.key} not null unique check (length(code) = 10),
    name_mark ${t.key} not null check (length(name_mark) between 40 and 64),
    user_id ${t.ref} references users (id) on delete set null,
    school_ids ${t.text} check (length(school_ids) between 3 and 20000),
    school ${t.text} check (length(school) between 1 and 40000),
    start_date ${t.date('start_date')} not null,
    end_date ${t.date('end_date')} not null,
    with_dates ${t.flag('with_dates')} not null,
    language ${t.key} not null check (language in ('en', 'es')),
    hours_hundredths ${t.whole} not null check (hours_hundredths > 0),
    is_verified_only ${t.flag('is_verified_only')} not null,
    record_mark ${t.key} not null check (length(record_mark) = 64),
    issued_by ${t.ref} references users (id) on delete set null,
    issued_at ${t.instant('issued_at')} not null,
    issue_date ${t.date('issue_date')} not null,
    withdrawn_at ${t.instant('withdrawn_at')},
    withdrawn_by ${t.ref} references users (id) on delete set null,
    file_id ${t.ref} references letter_files (id) on delete set null,
    check (start_date <= end_date),
    check ((school_ids is null) = (school is null))
  ) ${t.end}`);
  await run(sql`create index service_letters_of_user on service_letters (user_id, id)`);
  await run(sql`create index service_letters_of_file on service_letters (file_id, id)`);
  await run(sql`create index service_letters_by_issuer on service_letters (issued_by)`);
  await run(sql`create index service_letters_by_withdrawer on service_letters (withdrawn_by)`);

  // Apart from the letters: the names go with the account.
  await run(sql`create table service_letter_names (
    letter_id ${t.ref} primary key references service_letters (id) on delete cascade,
    user_id ${t.ref} not null references users (id) on delete cascade,
    first_name ${t.text} not null check (length(first_name) between 1 and 1000),
    last_name ${t.text} not null check (length(last_name) between 1 and 1000)
  ) ${t.end}`);
  await run(sql`create index service_letter_names_of_user on service_letter_names (user_id)`);
}
