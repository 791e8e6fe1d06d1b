/** Measures the requests of screens: every GET of the API that names no single record. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestBed } from './measured-servers.ts';
import { at, printFigure } from './paired-rounds.ts';

/** The time limit of any request of a screen, in milliseconds. */
const LIMIT_MS = 300;
const TIMES = 5;
const SHOWN = 12;
const API = join(import.meta.dirname, '../docs/api/openapi.json');

type Endpoint = Readonly<{ parameters?: readonly { in: string; name: string }[] }>;

/** Requests each list and total for the whole district, for its first school, and between two days. */
export async function benchScreens(
  { servers, targets }: TestBed,
  isWanted: (name: string) => boolean,
): Promise<void> {
  const { paths } = JSON.parse(readFileSync(API, 'utf8')) as { paths: Record<string, { get?: Endpoint }> };
  const wanted = Object.entries(paths)
    .flatMap(([path, { get }]) => queriesOf(path, get))
    .filter(isWanted);
  const { token } = targets.admin;
  for (const { name, client } of servers) {
    for (const { id } of targets.schools) {
      const path = `/api/admin/schools/${id}`;
      await client.sendOk({ method: 'PUT', path, body: { verification: 'on' }, token });
    }
    const found: { path: string; ms: number }[] = [];
    for (const path of wanted) {
      const viewer = path.startsWith('/api/admin/') ? token : targets.volunteers[0]?.token;
      const times: number[] = [];
      for (let time = 0; time < TIMES; time++) {
        const { status, milliseconds } = await client.send({ method: 'GET', path, token: viewer }, false);
        if (status < 400) times.push(milliseconds);
      }
      if (times.length > 0) found.push({ path, ms: at(times, 0.5) });
    }
    console.log(
      `\n${name}: the slowest of ${found.length} requests, medians of ${TIMES}, limit ${LIMIT_MS} ms`,
    );
    const slowest = found.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN);
    for (const { path, ms } of slowest) printFigure(path, `${ms.toFixed(1)} ms`, ms > LIMIT_MS);
  }
}

function queriesOf(path: string, endpoint: Endpoint | undefined): string[] {
  if (endpoint === undefined || path.includes('{')) return [];
  const names = (endpoint.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
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
