import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { HttpError } from '#shared/errors.ts';
import { atEnd, NOW } from '#test/harness.ts';
import { readPdf } from '#test/pdf.ts';
import { baseFolder } from '#test/temp-folders.ts';
import { asViewer } from '../http/viewer.ts';
import { openWorkPool } from '../process/worker-pool.ts';
import { openReportWorkers, type ReportContent, type ReportRequester } from './report-workers.ts';

const folder = mkdtempSync(join(baseFolder(), 'reports-'));
atEnd(() => rmSync(folder, { recursive: true }));
const TABLE = {
  kind: 'csv',
  table: { name: 'Hours', columns: [{ title: 'Activity', kind: 'text', width: 10 }] },
  rows: [['Book fair']],
} satisfies ReportContent;

function aReader(gone = new AbortController().signal): ReportRequester {
  return {
    viewer: asViewer({ userId: 1, sessionId: 1, role: 'user', schoolIds: [], grants: [] }),
    request: { at: NOW, address: '10.0.0.1', requestId: 'test', agent: 'test' },
    gone,
  };
}

type Opened = { idleMs?: number; milliseconds?: number; module?: URL };

function opened({ milliseconds, module, ...idle }: Opened) {
  const pool = openWorkPool(idle);
  atEnd(() => pool.close());
  const reports = openReportWorkers(pool, milliseconds, module);
  return (reader = aReader(), rows = TABLE.rows) =>
    reports.make(reader, (render) => render({ ...TABLE, rows }));
}

/** Work that does something odd with its first report, and makes the second one. */
function spoilt(name: string, how: string): URL {
  const [path, once] = [join(folder, `${name}.mjs`), join(folder, `${name}.once`)];
  writeFileSync(
    path,
    `import { existsSync, writeFileSync } from 'node:fs';
     const isFirst = !existsSync(${JSON.stringify(once)});
     writeFileSync(${JSON.stringify(once)}, '');
     ${how}`,
  );
  return pathToFileURL(path);
}

const MADE = `return Buffer.from('whole')`;
const KILL = `process.kill(process.pid, 'SIGKILL')`;
const UNAVAILABLE = { kind: 'unavailable', text: 'shared:unavailable', details: { retryAfterSeconds: 5 } };

test('a report can render CSV, Excel and PDF files one after another', async () => {
  const pool = openWorkPool();
  atEnd(() => pool.close());
  const reports = openReportWorkers(pool);
  const made = await reports.make(aReader(), async (render) => [
    await render(TABLE),
    await render({ ...TABLE, kind: 'xlsx' }),
    await render({
      kind: 'pdf',
      document: {
        title: 'Hours',
        language: 'en',
        foot: 'Maple Grove',
        page: 'Page {page} of {pages}',
        blocks: [{ kind: 'text', text: 'Book fair' }],
      },
    }),
  ]);
  expect(made[0]?.toString()).toBe('\uFEFFActivity\r\nBook fair\r\n');
  expect(made[1]?.subarray(0, 2).toString()).toBe('PK');
  expect(readPdf(made[2] as Buffer).text.replaceAll(/\s+/g, ' ')).toContain(
    'Book fair Maple Grove Page 1 of 1',
  );
});

test.each([
  ['exits on start', `if (isFirst) process.exit(1); export function work() { ${MADE} }`],
  ['is killed on start', `if (isFirst) ${KILL}; export function work() { ${MADE} }`],
  ['exits during a report', `export function work() { if (isFirst) process.exit(1); ${MADE} }`],
  [
    'is killed during a report',
    `export function work() { if (isFirst) return new Promise(() => ${KILL}); ${MADE} }`,
  ],
])('a report process that %s causes a 503, and the next report succeeds', async (name, how) => {
  const make = opened({ module: spoilt(name, how) });
  await expect(make()).rejects.toMatchObject(UNAVAILABLE);
  expect((await make()).toString()).toBe('whole');
});

test('a report that takes too long is stopped, and the next report succeeds', async () => {
  const module = spoilt('hangs', `export function work() { if (isFirst) for (;;); ${MADE}; }`);
  const make = opened({ milliseconds: 3_000, module });
  await expect(make()).rejects.toMatchObject({ ...UNAVAILABLE, text: 'shared:tooSlow' });
  expect((await make()).toString()).toBe('whole');
});

test('a report that arrives while an idle process ends is still rendered', async () => {
  const make = opened({ idleMs: 30 });
  await make();
  // The timer of the idle process runs first, and its end is not known yet.
  const reply = new Promise((resolve) => setTimeout(() => resolve(make()), 30));
  expect(String(await reply)).toContain('Book fair');
});

test('a canceled report is stopped and frees its slot', async () => {
  const module = spoilt('left', `export function work() { if (isFirst) for (;;); ${MADE}; }`);
  const make = opened({ module });
  const leaving = new AbortController();
  const left = expect(make(aReader(leaving.signal))).rejects.toBeInstanceOf(Error);
  while (!existsSync(join(folder, 'left.once'))) await pause(5);
  leaving.abort();
  await left;
  expect((await make()).toString()).toBe('whole');
});

test('the report of a client that disconnects is rejected', async () => {
  const make = opened({});
  const leaving = new AbortController();
  // On a busy machine its process is stopped before it has finished, which is another error.
  const left = expect(make(aReader(leaving.signal))).rejects.toBeInstanceOf(HttpError);
  leaving.abort();
  await left;
});

test('the report of a client that disconnects is not sent to the next client', async () => {
  // If its process got another report, the first one would be sent before that.
  const module = spoilt(
    'disconnected',
    `let finishFirst;
     export async function work({ rows }) {
       finishFirst?.();
       await new Promise((goOn) => { if (isFirst && !finishFirst) finishFirst = goOn; else setImmediate(goOn); });
       return Buffer.from(String(rows));
     }`,
  );
  const make = opened({ module });
  const leaving = new AbortController();
  const left = expect(make(aReader(leaving.signal), [['Theirs']])).rejects.toBeInstanceOf(Error);
  while (!existsSync(join(folder, 'disconnected.once'))) await pause(5);
  leaving.abort();
  await left;
  expect((await make(aReader(), [['Own']])).toString()).toBe('Own');
});
