import { isIP } from 'node:net';
import type { Config } from '#server/config.ts';
import { type Instant, wallClockIn } from '#shared/calendar-date.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/** Warnings for the operator at startup. `userId` is the system account of the process. */
export function startWarnings(
  config: Pick<Config, 'host' | 'publicUrl' | 'trustedProxies'>,
  userId: number | undefined,
): string[] {
  const isHttps = config.publicUrl?.startsWith('https:') === true;
  const isOpen = !isLoopback(config.host);
  return [
    ...(userId === 0
      ? ['Running as root: a bug could damage the whole machine. Create an account just for the server.']
      : []),
    ...(isOpen && !isHttps
      ? [
          `HOST: ${config.host} serves other machines without an https: PUBLIC_URL: passwords can be intercepted. Put a proxy with TLS in front.`,
        ]
      : []),
    ...(isHttps && config.trustedProxies.length === 0
      ? [
          "TRUSTED_PROXIES: is empty, so everyone behind the proxy of PUBLIC_URL shares one address and one person's rate limits. Set the address of the proxy.",
        ]
      : []),
  ];
}

/** The warning shown while the district uses a time zone that nobody chose. */
export function timeZoneWarning(zone: string, now: Instant): string {
  return `TIME_ZONE: is not set, so days are counted in ${zone}, where it is ${wallClockIn(zone, now)} now. Choose the district's zone in Settings before hours are logged.`;
}

function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host) || (isIP(host) === 4 && host.startsWith('127.'));
}
