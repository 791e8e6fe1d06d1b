import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '#test/command.ts';

test.each([
  ['second-factor', ['--reset', 'ada@maplegrove.example']],
  ['account', ['list-admins']],
  ['rotate-key', ['--yes']],
  ['rollups', ['verify']],
  ['rollups', ['rebuild']],
  ['photos', ['scrub']],
  ['backup', ['--to', join(tmpdir(), 'vtt-no-backup')]],
])('%s %j reports in one line that there is no district, and creates none', async (script, args) => {
  const folder = mkdtempSync(join(tmpdir(), 'vtt-commands-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const dataDir of [join(folder, 'nowhere', 'data'), folder]) {
    const { code, stdout, stderr } = await runCommand(script, { dataDir, databaseUrl: undefined }, args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining(`DATA_DIR: there is no database in ${dataDir}.`),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  }
});
