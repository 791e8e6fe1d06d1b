import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { run } from './process.mjs';
import {
  findCaddy,
  findChromium,
  findEtcd,
  findFirefox,
  findHaproxy,
  findNginx,
  findPatroni,
  findPostgres,
  findStrace,
  findSwift,
} from './programs.mjs';

/** What `npm run cluster:demo` needs. */
export const CLUSTER_NEEDS = ['postgresql', 'patroni', 'etcd', 'haproxy'];

const POLICY = '/usr/sbin/policy-rc.d';

/**
 * System packages that tests use. `why` is printed before anything is installed. When an optional one is missing, its tests
 * report that they were skipped.
 */
const NEEDS = {
  // Without a font the browser renders boxes, and all measured widths are wrong.
  browser: {
    why: 'browser tests, no Chromium was found',
    find: findChromium,
    install: () => apt('chromium-headless-shell', 'fonts-liberation'),
  },
  postgresql: {
    why: 'HTTP tests on the PostgreSQL that districts run, with pg_dump',
    find: findPostgres,
    install: installPostgres,
  },
  swift: {
    why: 'an object store that speaks S3',
    find: findSwift,
    install: () => apt('swift-proxy', 'swift-account', 'swift-container', 'swift-object'),
  },
  strace: {
    why: 'failing disks and power loss, by system call',
    find: findStrace,
    install: () => apt('strace'),
  },
  patroni: {
    why: 'PostgreSQL failover',
    find: findPatroni,
    install: () => withoutServices('patroni', 'python3-etcd'),
  },
  etcd: { why: 'PostgreSQL failover', find: findEtcd, install: () => withoutServices('etcd-server') },
  haproxy: { why: 'PostgreSQL failover', find: findHaproxy, install: () => withoutServices('haproxy') },
  firefox: {
    why: 'the main job in a second browser',
    find: findFirefox,
    isOptional: true,
    install: () => apt('firefox-esr'),
  },
  nginx: {
    why: 'the documented proxy settings',
    find: findNginx,
    isOptional: true,
    install: () => withoutServices('nginx-light', 'openssl'),
  },
  caddy: {
    why: 'the documented proxy settings',
    find: findCaddy,
    isOptional: true,
    install: () => withoutServices('caddy', 'openssl'),
  },
};

/** Installs missing programs, on Debian as root. Returns whether all required ones are there. */
export async function installTestNeeds(names) {
  const missing = [...new Set(names)].filter((name) => !NEEDS[name].find());
  const isRequired = (name) => !NEEDS[name].isOptional;
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) {
    const required = missing.filter(isRequired);
    if (required.length === 0) return true;
    console.error(
      `The tests need ${required.join(' and ')}: install, then run again (Debian: apt-get install ${required.join(' ')}).`,
    );
    return false;
  }
  if (missing.length === 0) return true;
  console.log('Installing system packages for the tests:');
  for (const name of missing) console.log(`  ${name}: ${NEEDS[name].why}`);
  const steps = [() => run('apt-get', ['update', '-qq']), ...missing.map((name) => NEEDS[name].install)];
  for (const step of steps) {
    const { ok, output } = await step();
    if (!ok) console.error(output.trim());
  }
  return missing.filter(isRequired).every((name) => NEEDS[name].find());
}

/** Installs packages without starting their services, which Debian would do on their usual ports. */
async function withoutServices(...packages) {
  const isOurs = !existsSync(POLICY);
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return await apt(...packages);
  } finally {
    if (isOurs) rmSync(POLICY);
  }
}

/** Installs PostgreSQL without the cluster that Debian's package would create and start, because tests start their own. */
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
