import { spawn } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** How often to check whether the npm that started this process still runs. */
const LOOK_AT_NPM_MS = 500;

/** A server that was told to stop takes at most ten seconds, unless it hangs. */
const KILL_AFTER_MS = 11_000;

const running = new Set();
let interruptedBy;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);

stopWithNpm();

// A graceful stop is the child's task: it gets the signal, and this process ends when the child has.
function interrupt(signal) {
  interruptedBy = signal;
  if (running.size === 0) process.exit(exitCode(null, signal));
  for (const child of running) {
    child.kill(signal);
    setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref();
  }
}

/**
 * npm starts a shell, which starts this process. When npm is stopped, it ends the shell and itself, and neither tells
 * this process. Only npm is looked for: a start by hand, by nohup or by a service manager may outlive its parent.
 */
function stopWithNpm() {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event || !(isNode(parent) || isShellOfScript(parent))) return;
  const npm = isNode(parent) ? parent : parentOf(parent);
  const timer = setInterval(() => {
    const isThere = process.ppid === parent && (npm === parent || parentOf(parent) === npm);
    if (isThere) return;
    clearInterval(timer);
    interrupt('SIGTERM');
  }, LOOK_AT_NPM_MS);
  timer.unref();
}

/**
 * Runs a command to its end and captures its output; with `progress`, one line says what is running and how long it
 * took.
 */
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

/** Whether a signal has asked this process to stop. */
export function isInterrupted() {
  return interruptedBy !== undefined;
}

/**
 * Runs a program in the foreground and returns how it ended: `{ code, signal, said }`. `said` is what it sent on its
 * message channel, whose end tells it when this process is gone.
 */
export async function runTold(node, args) {
  const child = start(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: withNode(node) });
  const said = {};
  child.on('message', (words) => Object.assign(said, words));
  const [code, signal] = await endOf(child);
  return { code, signal, said };
}

/** Runs commands side by side in front of the user until one of them ends, ends the others, and returns the first exit code. */
export async function runInFront(node, commands, env) {
  const children = commands.map((args) => start(node, args, { stdio: 'inherit', env: withNode(node, env) }));
  const ends = children.map(ended);
  const code = await Promise.race(ends);
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(ends);
  return code;
}

/** The environment in which a nested `node` is the given one too, and compiled modules are cached between starts. */
export function withNode(node, env = {}) {
  const { PATH, NODE_COMPILE_CACHE = join(ROOT, '.cache/compiled') } = process.env;
  return { NODE_COMPILE_CACHE, ...env, PATH: `${dirname(node)}${delimiter}${PATH}` };
}

function start(command, args, { stdio, env }) {
  const child = spawn(command, args, { cwd: ROOT, stdio, env: { ...process.env, ...env } });
  running.add(child);
  return child;
}

async function ended(child) {
  return exitCode(...(await endOf(child)));
}

function endOf(child) {
  return new Promise((resolve) => {
    const finish = (code, signal) => {
      running.delete(child);
      resolve([code, signal]);
    };
    child.once('error', () => finish(127, null));
    child.once('close', finish);
  });
}

/** The exit code that a shell reports for a program that ended this way. */
export function exitCode(code, signal) {
  return signal ? 128 + constants.signals[signal] : code;
}

function isNode(pid) {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('node');
  } catch {
    return false;
  }
}

function isShellOfScript(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] === '-c';
  } catch {
    return false;
  }
}

function parentOf(pid) {
  try {
    // The process name before it, in brackets, may contain anything.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return 0;
  }
}
