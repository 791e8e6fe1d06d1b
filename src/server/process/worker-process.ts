import type { Question, Reply } from './worker-pool.ts';

// Runs in its own process, so that long work does not block requests and a crash ends only one job. Jobs run
// one after another until the parent exits.
process.on('message', async ({ module, given }: Question) => {
  try {
    const { work } = await import(module);
    process.send?.({ answer: await work(given) } satisfies Reply);
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.send?.({ fault } satisfies Reply);
  }
});
process.on('disconnect', () => process.exit());
