import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

// A thread of its own, so that the cost of sending uploads does not count.
const { address, token } = workerData as { address: string; token: string };
const headers = { authorization: `Bearer ${token}` };
const EVERY_MS = 10;
let took: number[] = [];

parentPort?.on('message', () => {
  parentPort?.postMessage(took);
  took = [];
});
for (;;) {
  const began = performance.now();
  const reply = await fetch(address, { headers });
  await reply.arrayBuffer();
  took.push(reply.status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY);
  await pause(EVERY_MS);
}
