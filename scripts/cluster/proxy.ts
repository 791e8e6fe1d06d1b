import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Machine, type Program, ROOT, until } from './machine.ts';

const EXAMPLE = join(ROOT, 'deploy/haproxy.cfg');

/** The ports of the example's listeners, in its words. */
export type ProxyPorts = Readonly<{ pages: number; leader: number }>;

/** Where the nodes and servers are that the proxy leads to. */
export type Behind = Readonly<{
  nodes: readonly Readonly<{ name: string; port: number; patroniPort: number }>[];
  servers: readonly Readonly<{ name: string; port: number }>[];
}>;

/** Starts HAProxy with the example of `deploy`, whose addresses are replaced by those of this cluster. */
export async function startProxy(machine: Machine, ports: ProxyPorts, behind: Behind): Promise<Program> {
  const config = join(machine.folder, 'haproxy.cfg');
  writeFileSync(config, filledIn(readFileSync(EXAMPLE, 'utf8'), ports, behind));
  const proxy = machine.start('haproxy', ['haproxy', '-db', '-f', config]);
  await until('HAProxy answers', async () => (await fetch(`http://127.0.0.1:${ports.pages}/`)).status > 0, {
    needs: [proxy],
  });
  return proxy;
}

function filledIn(example: string, ports: ProxyPorts, { nodes, servers }: Behind): string {
  const replaced: [string, string][] = [
    ['*:443 ssl crt /etc/haproxy/volunteers.pem alpn h2,http/1.1', `127.0.0.1:${ports.pages}`],
    ['127.0.0.1:5000', `127.0.0.1:${ports.leader}`],
  ];
  for (const [at, { port, patroniPort }] of nodes.entries())
    replaced.push([`10.0.0.2${at + 1}:5432 check port 8008`, `127.0.0.1:${port} check port ${patroniPort}`]);
  for (const [at, { port }] of servers.entries())
    replaced.push([`10.0.0.1${at + 1}:3000`, `127.0.0.1:${port}`]);
  return replaced.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${EXAMPLE} has no ${from}`);
    return text.replaceAll(from, to);
  }, example);
}
