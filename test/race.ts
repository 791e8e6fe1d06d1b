import { type Trx, transaction } from '#server/db/connect.ts';
import type { Reply, TestApp } from './harness.ts';

const HEAD_START_MS = 100;

/** Sends a request while a change is written but not yet committed; returns the reply after the commit. */
export async function sendDuring(
  app: TestApp,
  change: (trx: Trx) => Promise<unknown>,
  send: () => Promise<Reply>,
): Promise<Reply> {
  const sent: Promise<Reply>[] = [];
  await transaction(app.deps.database, async (trx) => {
    await change(trx);
    sent.push(send());
    await new Promise((resume) => setTimeout(resume, HEAD_START_MS));
  });
  const [reply] = await Promise.all(sent);
  if (reply === undefined) throw new Error('nothing was sent');
  return reply;
}
