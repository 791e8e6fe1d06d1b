import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startExportWorker } from './worker-export.ts';

// An unhandled error would end the process; here it would fail the run.
const script = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const TOTAL = `import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ total: 3 });`;

test.each([
  ['cannot be found', new URL('file:///nowhere/worker.ts'), /Cannot find module/],
  ['fails on start', script(`throw Object.assign(new Error('no slot'), { code: '53300' })`), /no slot/],
  ['exits on start', script('process.exit(0)'), /unavailable/],
])('an export thread that %s fails only the request for its export', async (_how, from, says) => {
  await expect(startExportWorker(from, {})).rejects.toThrow(says);
});

test.each([
  ['waits', 'setInterval(() => {}, 1_000)'],
  ['is busy', 'for (;;);'],
])(
  'an export thread that %s without announcing an export is stopped after the timeout',
  async (_how, code) => {
    const began = performance.now();
    await expect(startExportWorker(script(code), {}, 200)).rejects.toMatchObject({
      kind: 'unavailable',
      details: { retryAfterSeconds: 10 },
    });
    expect(performance.now() - began).toBeGreaterThan(190);
  },
);

// A little later, because a thread's message and its exit event may arrive in either order.
test.each([
  ['fails', `${TOTAL} setTimeout(() => { throw new Error('late'); }, 50)`, 'late'],
  ['exits', `${TOTAL} setTimeout(() => process.exit(1), 50)`, 'unavailable'],
])(
  'an export thread that %s before its export is read interrupts only that export',
  async (_how, code, says) => {
    const { total, content } = await startExportWorker(script(code), {});
    expect(total).toBe(3);
    // The reader does something else before it opens the file.
    await expect.poll(() => content.errored?.message).toContain(says);
    await expect(text(content)).rejects.toThrow();
  },
);
