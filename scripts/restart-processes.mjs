// ExecReload of the service, with MAINPID. Has the processes of the running server exchanged for new ones of the program on disk, and waits for what comes of it:
// exit code 0 when they serve, 1 with a line that says why when those from before go on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const LOOK_EVERY_MS = 100;
const { DATA_DIR = './data', MAINPID } = process.env;

process.exitCode = await restart();

async function restart() {
  const before = state();
  if (before === undefined || Number(MAINPID) !== before.pid) {
    return complain('The server runs as a single process (PROCESSES): restart it instead');
  }
  if (!isSignalled(before.pid, 'SIGHUP')) return complain('The server does not run');
  for (;;) {
    await setTimeout(LOOK_EVERY_MS);
    const now = state();
    if (now === undefined || now.pid !== before.pid || !isSignalled(before.pid, 0)) {
      return complain('The server ended meanwhile');
    }
    if (now.restarts === before.restarts) continue;
    return now.failure === null ? 0 : complain(`The processes from before go on: ${now.failure}`);
  }
}

function state() {
  try {
    return JSON.parse(readFileSync(join(DATA_DIR, 'processes.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

function isSignalled(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function complain(line) {
  console.error(line);
  return 1;
}
