import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { atEnd, NOW } from '#test/harness.ts';
import { readPdf } from '#test/pdf.ts';
import { baseFolder } from '#test/temp-folders.ts';
import { asViewer } from '../http/viewer.ts';
import { openReportWorkers, type Reader, type ReportContent } from './report-workers.ts';

const folder = mkdtempSync(join(baseFolder(), 'reports-'));
atEnd(() => rmSync(folder, { recursive: true }));
const LIMITS = { milliseconds: 30_000, goneMs: 20, idleMs: 60_000 };
const TABLE: ReportContent = {
  kind: 'csv',
  table: { name: 'Hours', columns: [{ title: 'Activity', kind: 'text', width: 10 }] },
  rows: [['Book fair']],
};

function aReader(gone = new AbortController().signal): Reader {
  return {
    viewer: asViewer({ userId: 1, sessionId: 1, role: 'user', schoolIds: [], grants: [] }),
    request: { at: NOW, address: '10.0.0.1', requestId: 'test', agent: 'test' },
    gone,
  };
}

function opened(...given: Parameters<typeof openReportWorkers>) {
  const reports = openReportWorkers(...given);
  atEnd(() => reports.close());
  return (reader = aReader()) => reports.make(reader, (render) => render(TABLE));
}

/** A process that does something odd with its first report, and answers the second one. */
function spoilt(name: string, how: string): URL {
  const [path, once] = [join(folder, `${name}.mjs`), join(folder, `${name}.once`)];
  writeFileSync(
    path,
    `import { existsSync, writeFileSync } from 'node:fs';
     const isFirst = !existsSync(${JSON.stringify(once)});
     writeFileSync(${JSON.stringify(once)}, '');
     ${how}
     process.on('disconnect', () => process.exit());`,
  );
  return pathToFileURL(path);
}

const ANSWER = `process.send({ bytes: Buffer.from('whole') })`;
const KILL = `process.kill(process.pid, 'SIGKILL')`;
const UNAVAILABLE = { kind: 'unavailable', text: 'shared:unavailable', details: { retryAfterSeconds: 5 } };

test('a report is made in every form, one after the other in one process', async () => {
  const reports = openReportWorkers();
  atEnd(() => reports.close());
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
  ['is dead at birth', `if (isFirst) process.exit(1); process.on('message', () => ${ANSWER});`],
  ['is killed at birth', `if (isFirst) ${KILL}; process.on('message', () => ${ANSWER});`],
  ['ends amid a report', `process.on('message', () => isFirst ? process.exit(1) : ${ANSWER});`],
  ['is killed amid a report', `process.on('message', () => isFirst ? ${KILL} : ${ANSWER});`],
])('a process that %s is a 503, and the next report is made', async (name, how) => {
  const make = opened(LIMITS, spoilt(name, how));
  await expect(make()).rejects.toMatchObject(UNAVAILABLE);
  expect((await make()).toString()).toBe('whole');
});

test('a process that cannot be started is a 503', async () => {
  const make = opened(LIMITS, new URL('file:///nowhere/report-process.ts'));
  await expect(make()).rejects.toMatchObject(UNAVAILABLE);
  await expect(make()).rejects.toMatchObject(UNAVAILABLE);
});

test('a report that takes too long is ended, and the next one is made', async () => {
  const script = spoilt('hangs', `process.on('message', () => { if (isFirst) for (;;); ${ANSWER}; });`);
  const make = opened({ ...LIMITS, milliseconds: 1_500 }, script);
  await expect(make()).rejects.toMatchObject({ ...UNAVAILABLE, text: 'shared:tooSlow' });
  expect((await make()).toString()).toBe('whole');
});

test('a report that is asked for in the moment in which an idle process is ended gets another process', async () => {
  const make = opened({ ...LIMITS, idleMs: 30 });
  await make();
  // The timer of the idle process runs first, and its end is not known yet.
  const reply = new Promise((resolve) => setTimeout(() => resolve(make()), 30));
  expect(String(await reply)).toContain('Book fair');
});

test('a report that nobody waits for any more is stopped, and frees its place', async () => {
  const script = spoilt('left', `process.on('message', () => { if (isFirst) for (;;); ${ANSWER}; });`);
  const make = opened(LIMITS, script);
  const leaving = new AbortController();
  const left = expect(make(aReader(leaving.signal))).rejects.toBeInstanceOf(Error);
  while (!existsSync(join(folder, 'left.once'))) await pause(5);
  leaving.abort();
  await left;
  expect((await make()).toString()).toBe('whole');
});

test('the report of a reader who left is not given to the next one', async () => {
  const make = opened({ ...LIMITS, goneMs: 10_000 });
  const leaving = new AbortController();
  const left = expect(make(aReader(leaving.signal))).rejects.toMatchObject({ kind: 'busy' });
  leaving.abort();
  await left;
});
