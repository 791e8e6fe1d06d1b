import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Machine, ROOT } from './machine.ts';

const MIGRATE = 'src/server/db/migrate.ts';
const END_OF_STEPS = '\n};\n\n/** The names of all migrations';
const STEP = `import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table time_entries add column next_version text\`.execute(db);
  await sql\`create table next_version (id bigint primary key)\`.execute(db);
}
`;

/** Writes sources of a version with one more step that rolls; returns their folder, for `Servers.start`. */
export function nextVersion(machine: Machine): { root: string } {
  const root = join(machine.folder, 'next');
  mkdirSync(root);
  for (const part of ['src', 'package.json', 'docs'])
    cpSync(join(ROOT, part), join(root, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const text = readFileSync(join(root, MIGRATE), 'utf8');
  if (!text.includes(END_OF_STEPS)) throw new Error(`${MIGRATE} has no end of its steps`);
  const more = text.replace(END_OF_STEPS, `\n  '9999-next-version': rolling(nextVersion),${END_OF_STEPS}`);
  const line = `import { up as nextVersion } from './migrations/9999-next-version.ts';\n`;
  writeFileSync(join(root, MIGRATE), line + more);
  writeFileSync(join(root, 'src/server/db/migrations/9999-next-version.ts'), STEP);
  return { root };
}
