import { expect, test } from 'vitest';
import { atEnd } from '#test/harness.ts';
import { openMachine } from '../../scripts/cluster/local-processes.ts';
import { runScenario } from '../../scripts/cluster/scenario.ts';

test('a cluster neither loses nor duplicates a confirmed write while its parts fail one by one', async () => {
  const machine = openMachine();
  atEnd(machine.end);
  const results = await runScenario(machine, { calmSeconds: 3, onResult: (result) => console.log(result) });
  expect(results).toHaveLength(6);
  for (const { name, lost, doubled, unexpected } of results) {
    expect({ name, lost, doubled, unexpected }).toEqual({ name, lost: 0, doubled: 0, unexpected: [] });
  }
  expect(results.slice(0, -1).every(({ logged }) => logged > 0)).toBe(true);
});
