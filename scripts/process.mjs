import { spawn } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** How often to check whether the npm that started this process still runs. */
const CHECK_NPM_MS = 500;

/** A server takes at most ten seconds to shut down, unless it hangs. */
const KILL_AFTER_MS = 11_000;

const running = new Set();
let interruptedBy;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);

stopWithNpm();

// The child gets the signal and shuts down gracefully; this process ends after it.
function interrupt(signal) {
  interruptedBy = signal;
  if (running.size === 0) process.exit(exitCode(null, signal));
  for (const child of running) {
    child.kill(signal);
    setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref();
  }
}

/**
 * npm starts a shell, which starts this process. When npm is stopped, both end without signaling this process. Only npm is
 * watched, because a start by hand, by nohup or by a service manager may outlive its parent.
 */
function stopWithNpm() {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event || !(isNode(parent) || isNpmShell(parent))) return;
  const npm = isNode(parent) ? parent : parentOf(parent);
  const timer = setInterval(() => {
    const isRunning = process.ppid === parent && (npm === parent || parentOf(parent) === npm);
    if (isRunning) return;
    clearInterval(timer);
    interrupt('SIGTERM');
  }, CHECK_NPM_MS);
  timer.unref();
}

/**
 * Runs a command and captures its output. With `progress`, prints a line with that text and the time it took. Ends this
 * process when a signal interrupts it.
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
  const code = await exitCodeOf(child);
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
 * Runs a program in the foreground; returns `{ code, signal, messages }`. `messages` has the fields of all messages that it
 * sent to this process. The program notices by the closed channel when this process is gone.
 */
export async function runWithMessages(node, args) {
  const child = start(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: withNode(node) });
  const messages = {};
  child.on('message', (fields) => Object.assign(messages, fields));
  const [code, signal] = await endOf(child);
  return { code, signal, messages };
}

/** Runs commands in the foreground until one of them ends, stops the others, and returns the first exit code. */
export async function runInFront(node, commands, env) {
  const children = commands.map((args) => start(node, args, { stdio: 'inherit', env: withNode(node, env) }));
  const ends = children.map(exitCodeOf);
  const code = await Promise.race(ends);
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(ends);
  return code;
}

/** An environment in which nested `node` commands use the same Node, and compiled modules are cached between starts. */
export function withNode(node, env = {}) {
  const { PATH, NODE_COMPILE_CACHE = join(ROOT, '.cache/compiled') } = process.env;
  return { NODE_COMPILE_CACHE, ...env, PATH: `${dirname(node)}${delimiter}${PATH}` };
}

function start(command, args, { stdio, env }) {
  const child = spawn(command, args, { cwd: ROOT, stdio, env: { ...process.env, ...env } });
  running.add(child);
  return child;
}

async function exitCodeOf(child) {
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

/** The exit code that a shell reports for this code or signal. */
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

function isNpmShell(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] === '-c';
  } catch {
    return false;
  }
}

function parentOf(pid) {
  try {
    // The process name before it, in parentheses, may contain anything.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return 0;
  }
}
