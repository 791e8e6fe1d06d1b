import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import { STRENGTH } from './argon2-parameters.ts';
import type { HashingAnswer, HashingTask } from './hashing-pool.ts';

const NICENESS = 10;

// A thread of its own: whatever else waits for a processor goes first. Linux counts the priority of each thread for
// itself; elsewhere it stays as it is.
try {
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICENESS);
} catch {}

parentPort?.on('message', (task: HashingTask) => {
  parentPort?.postMessage(answerTo(task) satisfies HashingAnswer);
});

function answerTo(task: HashingTask): HashingAnswer {
  try {
    if ('stored' in task) return { matches: verifySync(task.stored, task.password) };
    return { hash: hashSync(task.password, STRENGTH) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
