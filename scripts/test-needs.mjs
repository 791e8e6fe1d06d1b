import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { run } from './process.mjs';
import {
  findCaddy,
  findChromium,
  findEtcd,
  findFirefox,
  findHaproxy,
  findHeadlessShell,
  findNginx,
  findPatroni,
  findPostgres,
  findStrace,
  findSwift,
} from './programs.mjs';

/** The parts of the cluster of `npm run cluster:demo`. */
export const CLUSTER_NEEDS = ['postgresql', 'swift', 'patroni', 'etcd', 'haproxy'];

const POLICY = '/usr/sbin/policy-rc.d';

/**
 * `find` returns the program if it is installed; with `instead` the tests also run without it, only slower. What is
 * `optional` is tested where it can be had; elsewhere its tests say that they were skipped.
 */
const NEEDS = {
  postgresql: { find: findPostgres, install: installPostgres },
  swift: {
    find: findSwift,
    install: () => apt('swift-proxy', 'swift-account', 'swift-container', 'swift-object'),
  },
  patroni: { find: findPatroni, install: () => withoutServices('patroni', 'python3-etcd') },
  etcd: { find: findEtcd, install: () => withoutServices('etcd-server') },
  haproxy: { find: findHaproxy, install: () => withoutServices('haproxy') },
  strace: { find: findStrace, install: () => apt('strace') },
  // A browser without any font draws boxes, and every width measured in it is wrong.
  chromium: {
    find: findHeadlessShell,
    instead: findChromium,
    install: () => apt('chromium-headless-shell', 'fonts-liberation'),
  },
  firefox: { find: findFirefox, isOptional: true, install: () => apt('firefox-esr') },
  nginx: { find: findNginx, isOptional: true, install: () => withoutServices('nginx-light', 'openssl') },
  caddy: { find: findCaddy, isOptional: true, install: () => withoutServices('caddy', 'openssl') },
};

/** Installs those of the named programs that are missing. Returns whether all are there. */
export async function installTestNeeds(names) {
  const wanted = [...new Set(names)].filter((name) => !NEEDS[name].find());
  const missing = wanted.filter((name) => !NEEDS[name].isOptional && !NEEDS[name].instead?.());
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) {
    if (missing.length === 0) return true;
    console.error(
      `The tests need ${missing.join(' and ')}: install, then run again (Debian: apt-get install ${missing.join(' ')}).`,
    );
    return false;
  }
  if (wanted.length === 0) return true;
  console.log(`Installing what the tests need: ${wanted.join(', ')}`);
  const steps = [() => run('apt-get', ['update', '-qq'])];
  // What the tests can do without comes last.
  const inOrder = [...missing, ...wanted.filter((name) => !missing.includes(name))];
  for (const name of inOrder) steps.push(NEEDS[name].install);
  for (const step of steps) {
    const { ok, output } = await step();
    if (ok) continue;
    console.error(output.trim());
    return missing.every((name) => NEEDS[name].find());
  }
  return true;
}

/** Packages whose programs Debian would start at once, on this machine's own ports. */
async function withoutServices(...packages) {
  const isOurs = !existsSync(POLICY);
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return await apt(...packages);
  } finally {
    if (isOurs) rmSync(POLICY);
  }
}

/** Debian's package makes a cluster of its own and starts it; the tests start theirs, so it is told not to before it arrives. */
async function installPostgres() {
  const common = await apt('postgresql-common');
  if (!common.ok) return common;
  const path = '/etc/postgresql-common/createcluster.conf';
  const settings = existsSync(path) ? readFileSync(path, 'utf8') : '';
  writeFileSync(
    path,
    `${settings.replace(/^\s*create_main_cluster.*$/gm, '')}\ncreate_main_cluster = false\n`,
  );
  return apt('postgresql');
}

function apt(...packages) {
  const args = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  return run('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' } });
}
