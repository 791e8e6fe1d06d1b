import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { atEnd } from './harness.ts';

/** What the server does with a letter: accepts it, delays it, refuses it, or crashes in the middle of it. */
export type Mood = 'accept' | 'slow' | 'temporary' | 'permanent' | 'unwilling' | 'die';

/** Who may send through it, if not everybody. */
export const MAILER = { user: 'hours', pass: 'pear-and-plum' } as const;

/** A mail server that speaks real SMTP on the loopback interface. */
export type MailServer = Readonly<{
  port: number;
  /** 'smtp://127.0.0.1:2525' */
  url: string;
  /** From now on. */
  setMood: (mood: Mood) => void;
  /** How many connections got as far as naming a recipient. */
  tries: () => number;
  /** The recipients that were named. */
  recipients: () => readonly string[];
  /** The accepted letters, as they were transmitted. */
  raw: () => readonly string[];
  letters: () => Promise<readonly Email[]>;
  /** Waits for `count` emails. */
  wait: (count: number) => Promise<readonly Email[]>;
  stop: () => Promise<void>;
}>;

const SLOW_MS = 400;

/** Starts a mail server; `isStrict` asks for STARTTLS with a certificate of its own making, and for a login. */
export async function startMailServer({
  port = 0,
  isStrict = false,
}: {
  port?: number;
  isStrict?: boolean;
} = {}): Promise<MailServer> {
  let mood: Mood = 'accept';
  let tries = 0;
  const named: string[] = [];
  const taken: string[] = [];
  const sockets = new Set<Socket>();
  const cutOff = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = new SMTPServer({
    ...(isStrict ? STRICT : OPEN),
    logger: false,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) => {
      tries += 1;
      named.push(address);
      if (mood === 'temporary') return done(refusal(451, 'Greylisted, try again later'));
      if (mood === 'permanent') return done(refusal(550, 'No such user here'));
      return done();
    },
    onData: (stream, _session, done) => {
      if (mood === 'die') return cutOff();
      let letter = '';
      stream.setEncoding('utf8').on('data', (more: string) => {
        letter += more;
      });
      stream.on('end', () => {
        if (mood === 'unwilling') return done(refusal(554, 'Looks like spam'));
        const take = () => {
          taken.push(letter);
          done();
        };
        return mood === 'slow' ? setTimeout(take, SLOW_MS) : take();
      });
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  const { port: given } = server.server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      cutOff();
    });
  atEnd(stop);
  const letters = () => Promise.all(taken.map((letter) => PostalMime.parse(letter)));
  return {
    port: given,
    url: `smtp://127.0.0.1:${given}`,
    setMood: (next) => {
      mood = next;
    },
    tries: () => tries,
    recipients: () => named,
    raw: () => taken,
    letters,
    wait: async (count) => {
      while (taken.length < count) await new Promise((resume) => setTimeout(resume, 20));
      return letters();
    },
    stop,
  };
}

/** A value in the link of a letter, such as 'token'. */
export function linkIn(
  letter: Email | undefined,
  name: 'token' | 'verify' | 'invite' | 'signin-link',
): string {
  const [, value = ''] = new RegExp(`\\?${name}=([A-Za-z0-9_-]+)`).exec(letter?.text ?? '') ?? [];
  return value;
}

function refusal(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode });
}

const OPEN: SMTPServerOptions = { authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'] };

const STRICT: SMTPServerOptions = {
  // Made for these tests, trusted by nobody.
  key: `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIH2lWULoORzyvk9aInRIY1m2sBxnHUF7uRy91hEWewg2oAoGCCqGSM49
AwEHoUQDQgAEuWleqnmsfJ0m0SwvHR8orkjBYGnf+f4YN4PAkWV+FpdmR1Q10ssH
zHQHJ8/iqZzjOayt57QkG+fjNWzHHQZzUA==
-----END EC PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUDdOTkCBirvJKYL7eEkDxjLgnOP4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEyMDAyM1oYDzIxMjYxMDI4
MTIwMDIzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAS5aV6qeax8nSbRLC8dHyiuSMFgad/5/hg3g8CRZX4Wl2ZHVDXSywfM
dAcnz+KpnOM5rK3ntCQb5+M1bMcdBnNQo28wbTAdBgNVHQ4EFgQU13xJYq3tv93u
uJ8ZflTYacdlWxswHwYDVR0jBBgwFoAU13xJYq3tv93uuJ8ZflTYacdlWxswDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgd8QmFWh6jEC8xJM7YElZlJKqqFB3xJn6FqOxXK0Y0/8CIDPW
1DbzdDhksd1jBcEKKf4L5/7RhHbqLdCbWGHF5Y0E
-----END CERTIFICATE-----`,
  onAuth: ({ username, password }, _session, done) =>
    username === MAILER.user && password === MAILER.pass
      ? done(null, { user: username })
      : done(refusal(535, 'Authentication failed')),
};
