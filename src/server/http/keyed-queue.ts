const last = new Map<string, Promise<unknown>>();

/** Runs jobs of the same key one after another, in order; jobs of other keys run concurrently. */
export async function runSequentially<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const before = last.get(name);
  const running = before === undefined ? work() : before.then(work);
  // The next job runs however this one ends; only its own caller sees its failure.
  const ended = running.then(
    () => undefined,
    () => undefined,
  );
  last.set(name, ended);
  try {
    return await running;
  } finally {
    if (last.get(name) === ended) last.delete(name);
  }
}
