import type { WorkReply, WorkRequest } from './worker-pool.ts';

// Runs in its own process, so that long work does not block requests and a crash ends only one job. Jobs run
// one after another until the parent exits.
process.on('message', async ({ module, given }: WorkRequest) => {
  try {
    const { work } = await import(module);
    process.send?.({ answer: await work(given) } satisfies WorkReply);
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.send?.({ fault } satisfies WorkReply);
  }
});
process.on('disconnect', () => process.exit());
