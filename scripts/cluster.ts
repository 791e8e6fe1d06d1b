/**
 * npm run cluster:demo [-- --seconds 5]
 *
 * Starts, on this machine's own address alone, the failover setup of docs/scaling.md: a PostgreSQL of two nodes under Patroni
 * and etcd, HAProxy, an S3 store and two servers. Volunteers log hours, read lists and add photos while one part after
 * the other fails. Prints how long nobody got an answer, and how many confirmed writes are missing; the exit code is 1
 * when one is.
 */
import { parseArgs } from 'node:util';
import { openMachine } from './cluster/local-processes.ts';
import { tell } from './cluster/scenario.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } });
const machine = openMachine();
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (isStopped) return;
    isStopped = true;
    console.log('\nEnding what was started');
    void machine.end().then(() => process.exit(130));
  });
}
const line = ([name = '', ...cells]: readonly (string | number)[]) =>
  console.log(`${name}`.padEnd(38) + cells.map((cell) => String(cell).padStart(9)).join(''));
try {
  console.log('Starting etcd, two nodes of PostgreSQL under Patroni, an S3 store, HAProxy and two servers');
  line(['', 'seconds', 'hours', 'lists', 'photos', 'logged', 'lost', 'doubled']);
  const chapters = await tell(machine, {
    calmSeconds: Number(values.seconds),
    say: ({ name, seconds, gaps, logged, lost, doubled, strange }) => {
      line([name, ...[seconds, ...gaps].map((one) => one.toFixed(1)), logged, lost, doubled]);
      for (const one of new Set(strange)) console.log(`  ${one}`);
    },
  });
  const isWrong = chapters.some(({ lost, doubled }) => lost + doubled > 0);
  console.log('hours, lists, photos: the longest time in seconds without a successful answer');
  console.log(isWrong ? 'A confirmed write was lost or doubled' : 'Every confirmed write is there, once');
  process.exitCode = isWrong ? 1 : 0;
} catch (error) {
  if (!isStopped) throw error;
} finally {
  if (!isStopped) await machine.end();
}
