// node scripts/try-container.mjs BASE FOLDER: executes every step of the Containerfile without a container engine, as root.
// BASE is a root of Debian 12 (debootstrap --variant=minbase bookworm BASE); Node and npm of this machine are put into a
// copy of it, which stands for the image that the Containerfile names. FOLDER is emptied.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findNode } from './bootstrap.mjs';
import { ROOT } from './process.mjs';

const READY_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 200;

const [base, folder] = process.argv.slice(2);
if (base === undefined || folder === undefined) {
  console.error('Usage: node scripts/try-container.mjs BASE FOLDER');
  process.exit(2);
}
rmSync(folder, { recursive: true, force: true });
const image = build(readSteps());
await tryImage(image);
console.log(
  'Every step of the Containerfile was executed, and the server ran on a read-only root as another account.',
);

/** The steps as [instruction, text], with lines that go on joined. */
function readSteps() {
  const text = readFileSync(join(ROOT, 'Containerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^(\S+)\s+(.*)$/.exec(line).slice(1));
}

function build(steps) {
  const stages = new Map();
  let stage;
  for (const [instruction, text] of steps) {
    console.log(`${instruction} ${text}`);
    if (instruction === 'FROM') {
      const name = / AS (\S+)$/.exec(text)?.[1] ?? 'last';
      stage = { root: aRoot(name), cwd: '/', environment: {}, user: '0:0', health: [], command: [] };
      stages.set(name, stage);
    } else perform(stage, { instruction, text }, stages);
  }
  return stage;
}

function perform(stage, { instruction, text }, stages) {
  const json = () => JSON.parse(text.slice(text.indexOf('[')));
  if (instruction === 'WORKDIR') {
    stage.cwd = text;
    mkdirSync(join(stage.root, text), { recursive: true });
  } else if (instruction === 'COPY') copy(stage, text.split(' '), stages);
  else if (instruction === 'RUN') inside(stage, ['sh', '-c', text]);
  else if (instruction === 'ENV') {
    for (const [, name, value] of text.matchAll(/(\w+)=(\S+)/g)) stage.environment[name] = value;
  } else if (instruction === 'USER') stage.user = text;
  else if (instruction === 'HEALTHCHECK') stage.health = json();
  else if (instruction === 'CMD') stage.command = json();
  else if (!['VOLUME', 'EXPOSE', 'STOPSIGNAL'].includes(instruction))
    throw new Error(`${instruction} is not known here`);
}

function aRoot(name) {
  const root = join(folder, name);
  mkdirSync(folder, { recursive: true });
  run('cp', ['-a', base, root]);
  cpSync(findNode(), join(root, 'usr/local/bin/node'));
  const npm = dirname(dirname(realpathSync(run('which', ['npm']).trim())));
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  run('ln', ['-sf', '../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm')]);
  for (const path of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'])
    if (existsSync(path)) cpSync(path, join(root, path));
  return root;
}

function copy(stage, words, stages) {
  const from = words[0].startsWith('--from=') ? stages.get(words.shift().slice('--from='.length)).root : ROOT;
  const to = words.pop();
  for (const word of words) {
    const target = to.startsWith('/') ? to : join(stage.cwd, to === './' ? word : to);
    cpSync(join(from, word), join(stage.root, target), { recursive: true, verbatimSymlinks: true });
  }
}

function inside({ root, cwd, environment, user }, command) {
  const words = [`--userspec=${user}`, root, '/bin/sh', '-c', `cd ${cwd} && exec "$@"`, 'sh', ...command];
  return run('chroot', words, settingsOf(environment));
}

function settingsOf(environment) {
  // How this machine reaches the registry is no part of the image.
  const own = Object.entries(process.env).filter(([name]) =>
    /^npm_config_registry$|_proxy$|EXTRA_CA/i.test(name),
  );
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: '/root',
    ...Object.fromEntries(own),
    ...environment,
  };
}

// As `podman run --read-only --tmpfs /tmp -v ...:/data` does: the root cannot be written, /data and /tmp can.
async function tryImage(stage) {
  const port = await freePort();
  const environment = { ...stage.environment, HOST: '127.0.0.1', PORT: String(port) };
  const { root } = stage;
  const script = `mount --bind ${root} ${root} && mount --bind ${root}/data ${root}/data && mount -t tmpfs tmpfs ${root}/tmp &&
    mount -t proc proc ${root}/proc && mount -o remount,ro,bind ${root} &&
    exec chroot --userspec=${stage.user} ${root} /bin/sh -c 'cd ${stage.cwd} && ! touch src/x 2>/dev/null && exec "$@"' sh "$@"`;
  const server = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...stage.command], {
    env: settingsOf(environment),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise((resolve) => server.once('close', resolve));
  for (let waited = 0; !(await isReady(port)); waited += LOOK_EVERY_MS) {
    if (server.exitCode !== null || waited > READY_WITHIN_MS) throw new Error('the server is not ready');
    await setTimeout(LOOK_EVERY_MS);
  }
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  if (!/^Uid:\s+10001\s/m.test(status))
    throw new Error('the server runs as another account than the one named');
  inside({ ...stage, environment }, stage.health);
  server.kill('SIGTERM');
  const code = await ended;
  if (code !== 0) throw new Error(`the server ended with exit code ${code}`);
}

function isReady(port) {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function run(program, args, env) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    ...(env === undefined ? {} : { env }),
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stdout + stderr}`);
}
