import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The client's address: the one that a trusted proxy forwarded, if it is an address at all, else the peer of the connection. A
 * header set by the client itself is ignored.
 */
export function addressOf(incoming: FastifyRequest): string {
  const forwarded = withoutPort(incoming.ip ?? '');
  if (isIP(forwarded) !== 0) return plain(forwarded);
  return plain(incoming.socket.remoteAddress ?? '');
}

/**
 * The network that rate limits count as one client: an IPv4 address, or the /64 of an IPv6 address, since a
 * home can use any address of its /64.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  if (tail === undefined) return `${firstFour(before)}::/64`;
  const after = tail === '' ? [] : tail.split(':');
  const missing = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return `${firstFour([...before, ...missing, ...after])}::/64`;
}

// Some proxies forward '203.0.113.7:51324' or '[2001:db8::7]:51324'.
function withoutPort(text: string): string {
  const [, bracketed, bare] = /^\[([^\]]+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? [];
  return bracketed ?? bare ?? text;
}

// An IPv4-mapped IPv6 address counts as the IPv4 address.
function plain(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  return mapped ?? address;
}

function firstFour(groups: readonly string[]): string {
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
