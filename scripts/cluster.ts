/**
 * npm run cluster:demo [-- --seconds 5]
 *
 * Starts the failover setup of docs/scaling.md on the loopback interface: a PostgreSQL of two nodes under Patroni and etcd,
 * HAProxy and two servers. Volunteers log hours and read lists while one part after the other fails. Prints the longest time
 * without an answer and how many confirmed writes are missing; the exit code is 1 when one is.
 */
import { parseArgs } from 'node:util';
import { openMachine } from './cluster/local-processes.ts';
import { runScenario } from './cluster/scenario.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } });
const machine = openMachine();
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (isStopped) return;
    isStopped = true;
    console.log('\nStopping the cluster');
    void machine.end().then(() => process.exit(130));
  });
}
const printLine = ([name = '', ...cells]: readonly (string | number)[]) =>
  console.log(`${name}`.padEnd(38) + cells.map((cell) => String(cell).padStart(9)).join(''));
try {
  console.log('Starting etcd, two nodes of PostgreSQL under Patroni, HAProxy and two servers');
  printLine(['', 'seconds', 'hours', 'lists', 'logged', 'lost', 'doubled']);
  const results = await runScenario(machine, {
    calmSeconds: Number(values.seconds),
    onResult: ({ name, seconds, gaps, logged, lost, doubled, unexpected }) => {
      printLine([name, ...[seconds, ...gaps].map((one) => one.toFixed(1)), logged, lost, doubled]);
      for (const one of new Set(unexpected)) console.log(`  ${one}`);
    },
  });
  const isWrong = results.some(({ lost, doubled }) => lost + doubled > 0);
  console.log('hours, lists: the longest time in seconds without a successful answer');
  console.log(isWrong ? 'A confirmed write was lost or doubled' : 'Every confirmed write is there, once');
  process.exitCode = isWrong ? 1 : 0;
} catch (error) {
  if (!isStopped) throw error;
} finally {
  if (!isStopped) await machine.end();
}
