import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { COMPILED, type Place } from './server-process.ts';

const ROOT = join(import.meta.dirname, '..');

/** Runs one of the operator's commands (scripts/) on a data folder; returns its exit code and output. */
export async function runCommand(
  script: string,
  place: Place,
  args: string[],
  settings: Record<string, string> = {},
) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(ROOT, `scripts/${script}.ts`), ...args], {
    env: {
      PATH,
      HOME,
      NODE_COMPILE_CACHE: COMPILED,
      TIME_ZONE: 'America/Chicago',
      DATA_DIR: place.dataDir,
      ...(place.databaseUrl === undefined ? {} : { DATABASE_URL: place.databaseUrl }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code, ...output };
}
