import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { atEnd } from './harness.ts';

/** The server's reaction to an email: accept, delay, reject, or crash during it. */
export type Mood = 'accept' | 'slow' | 'temporary' | 'permanent' | 'unwilling' | 'die';

/** The login that a strict server requires. */
export const MAILER = { user: 'hours', pass: 'pear-and-plum' } as const;

/** A mail server that speaks real SMTP on the loopback interface. */
export type MailServer = Readonly<{
  port: number;
  /** 'smtp://127.0.0.1:2525' */
  url: string;
  /** Changes the reaction to later emails. */
  setMood: (mood: Mood) => void;
  /** The number of times that a recipient was named. */
  tries: () => number;
  /** The recipients that were named. */
  recipients: () => readonly string[];
  /** The accepted emails, as they were transmitted. */
  raw: () => readonly string[];
  letters: () => Promise<readonly Email[]>;
  /** Waits for `count` emails. */
  wait: (count: number) => Promise<readonly Email[]>;
  stop: () => Promise<void>;
}>;

const SLOW_MS = 400;

/** Starts a mail server; `isStrict` requires a login, and STARTTLS with a self-signed certificate. */
export async function startMailServer({
  port = 0,
  isStrict = false,
}: {
  port?: number;
  isStrict?: boolean;
} = {}): Promise<MailServer> {
  let mood: Mood = 'accept';
  let tries = 0;
  const recipients: string[] = [];
  const accepted: string[] = [];
  const sockets = new Set<Socket>();
  const closeSockets = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = new SMTPServer({
    ...(isStrict ? STRICT : OPEN),
    logger: false,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) => {
      tries += 1;
      recipients.push(address);
      if (mood === 'temporary') return done(smtpError(451, 'Greylisted, try again later'));
      if (mood === 'permanent') return done(smtpError(550, 'No such user here'));
      return done();
    },
    onData: (stream, _session, done) => {
      if (mood === 'die') return closeSockets();
      let email = '';
      stream.setEncoding('utf8').on('data', (more: string) => {
        email += more;
      });
      stream.on('end', () => {
        if (mood === 'unwilling') return done(smtpError(554, 'Looks like spam'));
        const accept = () => {
          accepted.push(email);
          done();
        };
        return mood === 'slow' ? setTimeout(accept, SLOW_MS) : accept();
      });
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  const { port: actualPort } = server.server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      closeSockets();
    });
  atEnd(stop);
  const letters = () => Promise.all(accepted.map((email) => PostalMime.parse(email)));
  return {
    port: actualPort,
    url: `smtp://127.0.0.1:${actualPort}`,
    setMood: (next) => {
      mood = next;
    },
    tries: () => tries,
    recipients: () => recipients,
    raw: () => accepted,
    letters,
    wait: async (count) => {
      while (accepted.length < count) await new Promise((resume) => setTimeout(resume, 20));
      return letters();
    },
    stop,
  };
}

/** The value of a query parameter in an email's link, such as 'token'. */
export function linkIn(
  letter: Email | undefined,
  name: 'token' | 'verify' | 'invite' | 'signin-link',
): string {
  const [, value = ''] = new RegExp(`\\?${name}=([A-Za-z0-9_-]+)`).exec(letter?.text ?? '') ?? [];
  return value;
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

const OPEN: SMTPServerOptions = { authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'] };

const STRICT: SMTPServerOptions = {
  // Created for these tests; nothing trusts it.
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
      : done(smtpError(535, 'Authentication failed')),
};
