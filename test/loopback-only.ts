import { Socket } from 'node:net';

// Rejects connections to other machines. Loaded before every test file and in every process that a test starts.
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3}|0\.0\.0\.0|)$/;

type Target = { host?: unknown; path?: unknown } | number | string | null | undefined;

const connect = Socket.prototype.connect;

// Test files share a process, and each file loads this.
if (connect.name !== 'guarded')
  Socket.prototype.connect = function guarded(this: Socket, ...given: unknown[]) {
    const [first, second] = (Array.isArray(given[0]) ? given[0] : given) as Target[];
    const host = hostOf(first, second);
    if (!LOOPBACK.test(host)) throw new Error(`a test may not connect to ${host}`);
    return Reflect.apply(connect, this, given);
  } as typeof connect;

// The arguments of `connect`: options, a port with a host, or the path of a socket on this machine.
function hostOf(first: Target, second: Target): string {
  if (typeof first === 'object' && first !== null) {
    return typeof first.path === 'string' ? '' : String(first.host ?? '');
  }
  return typeof first === 'number' && typeof second === 'string' ? second : '';
}
