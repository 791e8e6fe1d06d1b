import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A browser controlled by WebDriver BiDi, a standard that all browsers support. */
export type Session = Readonly<{
  /** Sends a command and returns its result; throws the browser's error. */
  send: <Result = unknown>(method: string, params: object) => Promise<Result>;
  /** Called with each event of this name. */
  on: (event: string, listener: (params: never) => void) => void;
  version: string;
  end: () => Promise<void>;
}>;

const SILENT = {
  'browser.aboutwelcome.enabled': false,
  'browser.download.folderList': 2,
  'browser.download.alwaysOpenPanel': false,
  // No traffic to other machines: all addresses except loopback use a proxy that does not exist.
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
};

/** Starts headless Firefox with a new profile and these preferences. */
export async function startFirefox(
  program: string,
  preferences: Readonly<Record<string, string | number | boolean>>,
): Promise<Session> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const lines = Object.entries({ ...SILENT, ...preferences }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const process = spawn(
    program,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const socket = new WebSocket(`${await readAddress(process)}/session`);
  await once(socket, 'open');
  const { send, on } = commandsOver(socket);
  const { capabilities } = await send<{ capabilities: { browserVersion: string } }>('session.new', {
    capabilities: {},
  });
  const end = async () => {
    await send('browser.close', {}).catch(() => undefined);
    if (process.exitCode === null) await once(process, 'exit');
    rmSync(profile, { recursive: true, force: true });
  };
  return { send, on, version: capabilities.browserVersion, end };
}

// Firefox prints the address that it listens on.
async function readAddress({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('Firefox has no error output');
  for await (const line of createInterface(stderr)) {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
    if (address === undefined) continue;
    stderr.resume();
    return address;
  }
  throw new Error('Firefox ended before it listened');
}

type Reply = {
  id?: number;
  method?: string;
  params?: never;
  result?: unknown;
  error?: string;
  message?: string;
};

function commandsOver(socket: WebSocket): Pick<Session, 'send' | 'on'> {
  let last = 0;
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  const listeners: { event: string; listener: (params: never) => void }[] = [];
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.id === undefined) {
      for (const { event, listener } of listeners)
        if (event === reply.method) listener(reply.params as never);
      return;
    }
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.error === undefined) call?.resolve(reply.result as never);
    else call?.reject(new Error(`${reply.error}: ${reply.message}`));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has ended'));
    waiting.clear();
  });
  return {
    send: (method, params) =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    on: (event, listener) => listeners.push({ event, listener }),
  };
}
