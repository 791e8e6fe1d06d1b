import { globSync } from 'node:fs';
import type { Endpoint } from '#shared/endpoint.ts';

/** All endpoints of all contracts, by exported name. */
export async function allEndpoints(): Promise<ReadonlyMap<string, Endpoint>> {
  const contracts = await Promise.all(
    globSync('src/features/**/*contract.ts').map(
      (path) => import(`../${path}`) as Promise<Record<string, unknown>>,
    ),
  );
  const named = contracts.flatMap((contract) => Object.entries(contract));
  return new Map(named.flatMap(([name, value]) => (isEndpoint(value) ? [[name, value] as const] : [])));
}

/** The name of an endpoint: 'GET /time-entries'. */
export function callOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'parts' in value
  );
}
