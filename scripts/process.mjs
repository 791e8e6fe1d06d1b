import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const running = new Set();
let interruptedBy;

// A graceful stop is the child's to make: it is told, and this process ends when the child has.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interruptedBy = signal;
    if (running.size === 0) process.exit(exitCode(null, signal));
    for (const child of running) child.kill(signal);
  });
}

/** Runs a command to its end and keeps what it prints; with `progress`, one line says what is going on and how long it took. */
export async function run(command, args, { progress, env } = {}) {
  const began = performance.now();
  if (progress) process.stdout.write(`${progress} ... `);
  const child = start(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { NO_COLOR: '1', ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const code = await ended(child);
  if (interruptedBy) process.exit(exitCode(null, interruptedBy));
  const seconds = (performance.now() - began) / 1000;
  if (progress) process.stdout.write(code === 0 ? `${seconds.toFixed(1)} s\n` : 'failed\n');
  return { ok: code === 0, output, seconds };
}

/** Runs commands side by side in front of the user until one of them ends, ends the others, and answers with the first exit code. */
export async function runInFront(node, commands, env) {
  const children = commands.map((args) => start(node, args, { stdio: 'inherit', env: withNode(node, env) }));
  const ends = children.map(ended);
  const code = await Promise.race(ends);
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(ends);
  return code;
}

/** The environment in which a nested `node` is the given one too. */
export function withNode(node, env = {}) {
  return { ...env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
}

function start(command, args, { stdio, env }) {
  const child = spawn(command, args, { cwd: ROOT, stdio, env: { ...process.env, ...env } });
  running.add(child);
  return child;
}

function ended(child) {
  return new Promise((resolve) => {
    const finish = (code, signal) => {
      running.delete(child);
      resolve(exitCode(code, signal));
    };
    child.once('error', () => finish(127, null));
    child.once('close', finish);
  });
}

function exitCode(code, signal) {
  return signal ? 128 + constants.signals[signal] : code;
}
