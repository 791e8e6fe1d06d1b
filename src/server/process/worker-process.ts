import type { Question, Reply } from './worker-pool.ts';

// A process of its own: what takes long would hold up requests, and a crash ends one piece of work alone. It does one
// after the other until its parent is gone.
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
