import { readdirSync, readFileSync } from 'node:fs';

/** Nanoseconds on a CPU by process, every thread of it. */
export type Spent = ReadonlyMap<number, number>;

/** What these processes and all they started have spent so far. */
export function cpuOf(roots: readonly number[]): Spent {
  const children = Map.groupBy(processes(), (one) => one.parent);
  const tree = new Set<number>();
  const visit = (id: number) => {
    if (tree.has(id)) return;
    tree.add(id);
    for (const child of children.get(id) ?? []) visit(child.id);
  };
  for (const root of roots) visit(root);
  return new Map([...tree].map((id) => [id, threadsOf(id)]));
}

/** Nanoseconds since an earlier look. A process that has ended since (an idle back end) is left out, not taken off. */
export function spentSince(before: Spent, now: Spent): number {
  return [...now].reduce((sum, [id, spent]) => sum + Math.max(0, spent - (before.get(id) ?? 0)), 0);
}

function processes(): { id: number; parent: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = read(`/proc/${name}/stat`);
      // The name in parentheses may hold anything; what follows it is state and parent.
      const [, parent] = /^.*\) \S (\d+)/s.exec(stat) ?? [];
      return parent === undefined ? [] : [{ id: Number(name), parent: Number(parent) }];
    });
}

function threadsOf(id: number): number {
  try {
    return readdirSync(`/proc/${id}/task`).reduce(
      (sum, thread) => sum + Number(read(`/proc/${id}/task/${thread}/schedstat`).split(' ')[0] ?? 0),
      0,
    );
  } catch {
    return 0;
  }
}

// A process may end while it is looked at.
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
