/** Bench lines of what screens ask for: every read of the API that names no single thing, and what it takes at most. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stand } from './measured-servers.ts';
import { at, say } from './paired-rounds.ts';

/** How long any call of a screen may take, in milliseconds. */
const MUST_MS = 300;
const TIMES = 5;
const API = join(import.meta.dirname, '../docs/api/openapi.json');

type Call = Readonly<{ parameters?: readonly { in: string; name: string; required?: boolean }[] }>;

/** Asks for each list and figure: of the whole district, of its first school, and between two days. */
export async function benchScreens(
  { servers, cast }: Stand,
  isWanted: (name: string) => boolean,
): Promise<void> {
  const { paths } = JSON.parse(readFileSync(API, 'utf8')) as { paths: Record<string, { get?: Call }> };
  for (const { name, client } of servers) {
    const { token } = cast.admin;
    for (const { id } of cast.schools) {
      await client.ask({
        method: 'PUT',
        path: `/api/admin/schools/${id}`,
        body: { verification: 'on' },
        token,
      });
    }
    const found: { what: string; ms: number }[] = [];
    for (const path of Object.entries(paths).flatMap(([path, { get }]) => queriesOf(path, get))) {
      if (!isWanted(path)) continue;
      const sent = {
        method: 'GET',
        path,
        token: path.startsWith('/api/admin/') ? token : cast.volunteers[0]?.token,
      } as const;
      const times: number[] = [];
      for (let time = 0; time < TIMES; time++) {
        const { status, milliseconds } = await client.send(sent, false);
        if (status < 400) times.push(milliseconds);
      }
      if (times.length > 0) found.push({ what: path, ms: at(times, 0.5) });
    }
    console.log(
      `\n${name}: the slowest of ${found.length} calls of screens, medians of ${TIMES}, must ${MUST_MS} ms`,
    );
    const slowest = found.toSorted((a, b) => b.ms - a.ms).slice(0, 12);
    for (const { what, ms } of slowest) say(what, `${ms.toFixed(1)} ms`, ms > MUST_MS);
  }
}

function queriesOf(path: string, call: Call | undefined): string[] {
  if (call === undefined || path.includes('{')) return [];
  const names = (call.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
  const has = (name: string, query: string) => (names.includes(name) ? [`${path}?${query}`] : []);
  return [
    path,
    ...has('schoolId', 'schoolId=1'),
    ...has('startDate', 'startDate=2024-01-15&endDate=2026-01-10'),
    ...has('search', 'search=son'),
    ...has('flag', 'flag=late'),
    ...has('flag', 'flag=unusual'),
  ];
}
