import { readFileSync } from 'node:fs';
import { Unzip, UnzipInflate } from 'fflate';
import { expect, test } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import { atEnd, migratedPlace } from '#test/harness.ts';
import { manyEntries } from '#test/many-entries.ts';
import { ADMIN_SETTINGS, openDistrict } from '../open-district.ts';
import { type Child, startChild } from '../server-process.ts';
import { IS_LONG } from '../test-level.ts';

const ENTRIES = IS_LONG ? 1_000_000 : 5_000;
const NOTE_LENGTH = 40;
const LOOK_EVERY_MS = 100;
const MOST_MS = IS_LONG ? 3_600_000 : 120_000;
const MEGABYTE = 2 ** 20;
/** How much more memory the second half of a file may take than the first. */
const GROWTH = 1.15;

test(
  `an export of ${ENTRIES} entries is complete in both formats, with bounded memory`,
  async () => {
    const place = await migratedPlace();
    const child = await startChild(place, ADMIN_SETTINGS);
    const { admin, volunteer, activity, school } = await openDistrict(child);
    const database = await openDatabase(place);
    atEnd(() => database.close());
    const { user } = (await child.call('GET /api/profile', { token: volunteer })).body;
    await manyEntries(database, user, { id: activity.id, schoolId: school.id }, ENTRIES, NOTE_LENGTH);
    const { body } = await child.call(`GET /api/admin/time-entries/summary?schoolId=${school.id}`, {
      token: admin,
    });
    expect(body.summary.totalEntries).toBe(ENTRIES);
    for (const format of ['csv', 'xlsx'] as const) {
      const count = format === 'csv' ? linesIn() : rowsIn();
      const watch = watching(child, admin);
      const asked = await child.call('POST /api/admin/time-entries/export', {
        token: admin,
        body: { format, schoolId: school.id },
      });
      expect(asked.status).toBe(201);
      const began = performance.now();
      const reply = await fetch(`${child.origin}${asked.body.url}`);
      let bytes = 0;
      for await (const piece of reply.body ?? []) {
        bytes += piece.length;
        count.add(piece);
      }
      const seconds = (performance.now() - began) / 1000;
      const { memory, delays } = await watch.end();
      expect(count.rows()).toBe(ENTRIES + 1);
      expect(count.differentNotes()).toBe(ENTRIES);
      if (!IS_LONG) continue;
      const half = Math.floor(memory.length / 2);
      const [first, second] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))];
      console.log(
        `${database.engine} ${format}: ${(bytes / MEGABYTE).toFixed(0)} MB in ${seconds.toFixed(0)} s; memory ` +
          `${memory[0]?.toFixed(0)} MB before, at most ${first.toFixed(0)} MB in the first half, ${second.toFixed(0)} MB ` +
          `in the second; other requests meanwhile p50 ${at(delays, 0.5)} p99 ${at(delays, 0.99)} most ${at(delays, 1)} ms`,
      );
      expect(second).toBeLessThan(first * GROWTH);
    }
    await child.end('SIGTERM');
  },
  MOST_MS,
);

/** Looks at the process and asks it for something, again and again, until the end. */
function watching(child: Child, token: string) {
  const memory: number[] = [];
  const delays: number[] = [];
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      memory.push(memoryOf(child.pid));
      const began = performance.now();
      await child.call('GET /api/profile', { token });
      delays.push(performance.now() - began);
      await new Promise((resume) => setTimeout(resume, LOOK_EVERY_MS));
    }
  })();
  return {
    async end() {
      isOver = true;
      await watch;
      return { memory, delays: delays.toSorted((a, b) => a - b) };
    },
  };
}

function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
}

/** Counts the lines of a CSV file as it comes, and the different notes in it. */
function linesIn() {
  return counting('\r\n');
}

/** Counts the rows of an Excel file as it comes. */
function rowsIn() {
  const sheet = counting('</row>');
  const unzip = new Unzip((file) => {
    // The second sheet has the totals.
    if (file.name !== 'xl/worksheets/sheet1.xml') return;
    file.ondata = (error, bytes) => {
      if (error !== null) throw error;
      sheet.add(bytes);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  return { ...sheet, add: (bytes: Uint8Array) => unzip.push(bytes) };
}

function counting(end: string) {
  const decoder = new TextDecoder();
  const notes = new Set<string>();
  let rest = '';
  let rows = 0;
  return {
    add(bytes: Uint8Array) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split(end);
      rest = parts.pop() ?? '';
      rows += parts.length;
      for (const part of parts) {
        const [, note] = /x{40}(\d+)/.exec(part) ?? [];
        if (note !== undefined) notes.add(note);
      }
    },
    rows: () => rows,
    differentNotes: () => notes.size,
  };
}
