import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

// On a separate thread, so that sending uploads does not delay the probes.
const { address, token } = workerData as { address: string; token: string };
const headers = { authorization: `Bearer ${token}` };
const EVERY_MS = 10;
let times: number[] = [];

parentPort?.on('message', () => {
  parentPort?.postMessage(times);
  times = [];
});
for (;;) {
  const began = performance.now();
  const reply = await fetch(address, { headers });
  await reply.arrayBuffer();
  times.push(reply.status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY);
  await pause(EVERY_MS);
}
