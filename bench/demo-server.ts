import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { prepare } from '#app/server/start.ts';
import { readConfig } from '#server/config.ts';
import { systemClock } from '#server/deps.ts';
import { fillDemo } from '../scripts/demo/fill-demo.ts';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { verifyDemoHours } from '../scripts/demo/verified-hours.ts';

const ZONE = 'America/Chicago';
const ENTRIES = 4_000;

/** The product with a demo district and the pages of a folder, in this process, on a free port of the loopback interface. */
export async function serveDemo(folder: string): Promise<{ origin: string; stop: () => Promise<void> }> {
  if (!existsSync(join(folder, 'index.html'))) throw new Error(`${folder} holds no built pages`);
  const dataDir = mkdtempSync(join(tmpdir(), 'volunteer-time-bench-'));
  const config = readConfig({ DATA_DIR: dataDir, TIME_ZONE: ZONE, LOG_LEVEL: 'error' });
  const { app, deps } = await prepare(config, { pages: resolve(folder) });
  const now = systemClock.now();
  await fillDemo(deps.database, { now, timeZone: ZONE, sizes: { entries: ENTRIES } });
  await verifyDemoHours(deps.database, { now, timeZone: ZONE });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const stop = async () => {
    app.server.closeAllConnections();
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { origin, stop };
}

/** What a browser keeps of somebody who has signed in. */
export async function session(origin: string, email: string): Promise<Record<string, string>> {
  const body = JSON.stringify({ email, password: SIGN_INS.password });
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${origin}/api/auth/login`, { method: 'POST', headers, body });
  const { token } = (await reply.json()) as { token: string };
  const profile = await fetch(`${origin}/api/profile`, { headers: { authorization: `Bearer ${token}` } });
  const { user } = (await profile.json()) as { user: { schools: { id: number }[] } };
  return { token, selectedSchoolId: String(user.schools[0]?.id ?? 1) };
}
