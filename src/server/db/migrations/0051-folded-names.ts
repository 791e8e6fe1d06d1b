import { type Kysely, type RawBuilder, sql } from 'kysely';
import { translatedNames } from '#shared/content-translations.ts';
import { cleanEmail } from '#shared/email-address.ts';
import { foldForSearch } from '#shared/text-normalization.ts';

const AT_ONCE = 500;

/**
 * Names as they are compared, sorted and searched now: vowel signs count, and letters such as ł, ø and ß are written out.
 * Addresses lose what nobody can see in them. A row that would become the same as another keeps what it has.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await foldAgain(db, 'users', 'first_name, last_name, email, contact_email, search_key, sort_key', (row) => {
    const address = row('contact_email') || row('email');
    // Whoever was erased or merged is found by the name alone.
    const searched = row('search_key').includes('@') ? address : '';
    return {
      sort_key: foldForSearch(`${row('last_name')} ${row('first_name')}`),
      search_key: foldForSearch(`${row('first_name')} ${row('last_name')} ${searched}`),
    };
  });
  await foldAgain(db, 'users', 'email, email_key', (row) => ({
    email: cleanEmail(row('email')),
    email_key: cleanEmail(row('email')).toLowerCase(),
  }));
  for (const table of ['schools', 'categories', 'activities']) {
    await foldAgain(db, table, 'name, name_key', (row) => ({ name_key: foldForSearch(row('name')) }));
    await foldAgain(db, table, 'translated_key', (row) => ({
      translated_key: translatedNames(row('translated_key')).map(foldForSearch).join('\n'),
    }));
  }
}

// The keys that no two rows of a table have in common.
const UNIQUE: Readonly<Record<string, Readonly<Record<string, RawBuilder<unknown>>>>> = {
  users: { email_key: sql`true` },
  schools: { name_key: sql`true`, translated_key: sql`true` },
  categories: {
    name_key: sql`other.school_id = categories.school_id`,
    translated_key: sql`other.school_id = categories.school_id`,
  },
};

async function foldAgain(
  db: Kysely<unknown>,
  table: string,
  columns: string,
  next: (row: (column: string) => string) => Readonly<Record<string, string>>,
): Promise<void> {
  let last = 0;
  for (;;) {
    const { rows } = await sql<Record<string, unknown> & { id: number }>`select id, ${sql.raw(columns)}
      from ${sql.table(table)} where id > ${last} order by id limit ${AT_ONCE}`.execute(db);
    for (const row of rows) {
      last = Number(row.id);
      const values = Object.entries(next((column) => String(row[column] ?? '')));
      if (values.every(([column, value]) => row[column] === value)) continue;
      const taken = values.flatMap(([column, value]) => {
        const among = UNIQUE[table]?.[column];
        return among === undefined || value === ''
          ? []
          : sql`and not exists (select 1 from ${sql.table(table)} as other where other.id <> ${last}
              and ${among} and other.${sql.ref(column)} = ${value})`;
      });
      const changes = values.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
      await sql`update ${sql.table(table)} set ${sql.join(changes)} where id = ${last}
        ${sql.join(taken, sql` `)}`.execute(db);
    }
    if (rows.length < AT_ONCE) return;
  }
}
