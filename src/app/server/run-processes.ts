import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { writeDurably } from '#server/durable-file.ts';
import { makeLog } from '#server/log.ts';
import { StartFailed } from '#server/processes/member.ts';
import { type Restarted, Team } from '#server/processes/team.ts';
import { endRefused, tellStarter } from '#server/serve-process.ts';

/** In the data folder: which process to send SIGHUP to, and what came of the last one. For scripts/restart-processes.mjs. */
const STATE = 'processes.json';

/**
 * Runs a server as several processes of this one, which accepts connections and deals them out, and answers none
 * itself. Restarts them on SIGHUP, one after another's place; stops with them on SIGTERM and SIGINT.
 */
export async function runProcesses(config: Config): Promise<void> {
  const log = makeLog(config);
  const team = new Team(config, log);
  const stop = stopping(team, config);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  process.on('SIGHUP', hangsUp() ? stop : () => undefined);
  if (process.send !== undefined) process.on('disconnect', stop);
  try {
    await team.begin();
  } catch (error) {
    await endFailedStart(team, error);
  }
  let restarts = 0;
  const note = ({ failure }: Partial<Restarted>) => {
    const state = { pid: process.pid, restarts, failure: failure ?? null };
    writeDurably(join(config.dataDir, STATE), JSON.stringify(state));
  };
  note({});
  if (!hangsUp())
    process.on('SIGHUP', () => {
      void team.restart().then(({ failure }) => {
        restarts += 1;
        if (failure === undefined) console.log(`Restarted: ${config.processes} new processes serve`);
        else log.error(`the server was not restarted, the processes from before go on: ${failure}`);
        note({ failure });
      });
    });
  await tellStarter({ isReady: true });
}

// A terminal that is closed sends it too, to this process or to the script that started it, and then nobody wants the
// server any more.
function hangsUp(): boolean {
  return process.send !== undefined || [process.stdin, process.stdout].some(({ isTTY }) => isTTY);
}

function stopping(team: Team, { dataDir }: Config): () => void {
  let isStopping = false;
  return () => {
    if (isStopping) return;
    isStopping = true;
    void team.stop().then((endings) => {
      rmSync(join(dataDir, STATE), { force: true });
      // One that did not serve yet has nothing to finish, and ends by the signal.
      process.exit(endings.every(({ code, wasReady }) => code === 0 || !wasReady) ? 0 : 1);
    });
  };
}

// The process said why on its own standard error.
async function endFailedStart(team: Team, error: unknown): Promise<never> {
  await team.stop();
  if (!(error instanceof StartFailed)) throw error;
  const { refused, how, code } = error.ending;
  if (refused !== undefined) await endRefused(refused, how);
  process.exit(code ?? 1);
}
