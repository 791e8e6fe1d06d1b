// npm run install-service [-- --app DIR --data DIR --environment FILE --writable DIR --root DIR --files-only --print --uninstall]
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findNode } from './bootstrap.mjs';
import { ROOT } from './process.mjs';
import {
  adviceOn,
  backupFoldersIn,
  commandFile,
  environmentFile,
  packagedNode,
  sysusersFile,
  unitOf,
} from './service-files.mjs';

const NAME = 'volunteer-time';
const UNIT = `/etc/systemd/system/${NAME}.service`;
const SYSUSERS = `/etc/sysusers.d/${NAME}.conf`;
const COMMAND = `/usr/local/bin/${NAME}`;
/** In a folder that this script copied, and may remove. */
const COPIED = '.copied-by-install-service';
/** Beside the folder of the program, which is a link to one of them: a running server keeps the files it was started from. */
const RELEASES = '.releases';
/** What belongs to the checkout, can be built again, or is for development. */
const NOT_COPIED = ['.git', '.cache', 'bench', 'data', 'demo-data', 'dist', 'node_modules', 'test', COPIED];

const USAGE = `Usage: npm run install-service -- [options]
  --app DIR          where the program goes (/opt/${NAME})
  --data DIR         where its data goes (/var/lib/${NAME})
  --environment FILE its settings (/etc/${NAME}.env)
  --writable DIR     another folder it may write to, besides BACKUP_TO and BACKUP_LOG_TO; may be repeated
  --root DIR         installs below another root, and starts nothing
  --files-only       writes the files only: no packages, no account, nothing is started
  --print            prints the unit and the settings, and changes nothing
  --uninstall        removes the service and the program; leaves data, settings and account`;

process.umask(0o022);
try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  console.error(`The service was not installed: ${error.message}`);
  process.exitCode = 1;
}

function main(args) {
  const given = readArguments(args);
  if (given === undefined) return complain(USAGE, 2);
  const { root, service } = given;
  const odd = service.writable.find((folder) => !isPlain(folder));
  if (odd !== undefined && !given.uninstall) {
    return complain(`${odd}: a folder for backups may have letters, digits and . _ - in its name only`);
  }
  if (given.print) {
    console.log(`# ${UNIT}\n${unitOf(service)}\n# ${service.environment}\n${environmentFile()}`);
    return 0;
  }
  if (!existsSync('/etc/debian_version')) return complain('This installs on Debian and Ubuntu only.');
  if (process.getuid?.() !== 0) return complain('Only root can install a service: run it with sudo.');
  return given.uninstall ? uninstall(service, root) : install(service, given);
}

/** A space or a % means something else in a unit. */
function isPlain(path) {
  return /^\/[\w./-]+$/.test(path);
}

function readArguments(args) {
  const text = (otherwise) => ({ type: 'string', default: otherwise });
  const flag = { type: 'boolean', default: false };
  try {
    const { values } = parseArgs({
      args,
      options: {
        app: text(`/opt/${NAME}`),
        data: text(`/var/lib/${NAME}`),
        environment: text(`/etc/${NAME}.env`),
        writable: { type: 'string', multiple: true, default: [] },
        root: text('/'),
        'files-only': flag,
        print: flag,
        uninstall: flag,
      },
    });
    const { app, data, environment, root, print, uninstall } = values;
    const named = backupFoldersIn(settingsIn(join(root, environment)));
    const writable = [...new Set([...values.writable, ...named])];
    if (![app, data, environment, ...values.writable].every(isPlain)) return undefined;
    const { versions, arch, execPath: path } = process;
    const node = packagedNode(app, { version: versions.node, arch, path }) ?? findNode();
    const service = { name: NAME, app, data, environment, writable, node };
    return { root: resolve(root), service, isFilesOnly: values['files-only'], print, uninstall };
  } catch {
    return undefined;
  }
}

/** None for users who may not read them: everybody can run `--print`. */
function settingsIn(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function install(service, { root, isFilesOnly }) {
  const at = (path) => join(root, path);
  const release = copyProgram(at(service.app));
  // A running server must not load half of another version.
  if (release === undefined && !isFilesOnly && isHere(root)) stop();
  write(at(UNIT), unitOf(service), 0o644);
  write(at(SYSUSERS), sysusersFile(service), 0o644);
  write(at(COMMAND), commandFile(service), 0o755);
  // Existing settings stay as they are; they hold passwords.
  if (existsSync(at(service.environment))) chmodSync(at(service.environment), 0o600);
  else write(at(service.environment), environmentFile(), 0o600);
  if (isFilesOnly) {
    use(at(service.app), release);
    removeReleases(at(service.app), root);
    return 0;
  }
  const program = release ?? at(service.app);
  run(process.execPath, [join(program, 'scripts/run.mjs'), 'build'], { cwd: program });
  if (isHere(root)) stop();
  use(at(service.app), release);
  run('systemd-sysusers', [`--root=${root}`, at(SYSUSERS)]);
  makeDataFolder(service, root);
  const code = start(service, root);
  removeReleases(at(service.app), root);
  return code;
}

function stop() {
  spawnSync('systemctl', ['stop', '--quiet', NAME]);
}

/** Copies the program into a folder of its own; undefined where it was cloned to that place, and is used as it is. */
function copyProgram(app) {
  if (existsSync(app) && realpathSync(app) === ROOT) return undefined;
  if (existsSync(app) && !existsSync(join(app, COPIED))) {
    throw new Error(`${app} holds something else: name another folder with --app`);
  }
  const known = existsSync(`${app}${RELEASES}`) ? readdirSync(`${app}${RELEASES}`).map(Number) : [];
  const release = join(`${app}${RELEASES}`, String(Math.max(0, ...known) + 1));
  const filter = (path) => dirname(path) !== ROOT || !NOT_COPIED.includes(basename(path));
  cpSync(ROOT, release, { recursive: true, filter });
  writeFileSync(join(release, COPIED), `from ${ROOT}\n`);
  // Packages that are the same need not be fetched again. A folder of them is replaced, never changed.
  const packages = join(app, 'node_modules');
  if (existsSync(packages)) run('cp', ['-al', `${packages}/.`, join(release, 'node_modules')]);
  return release;
}

/** From now on the program's folder is this release. */
function use(app, release) {
  if (release === undefined) return;
  // Before there were releases it was a folder.
  if (linkOf(app) === undefined) rmSync(app, { recursive: true, force: true });
  rmSync(`${app}.new`, { force: true });
  symlinkSync(join(basename(`${app}${RELEASES}`), basename(release)), `${app}.new`);
  renameSync(`${app}.new`, app);
}

function linkOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Removes the releases that nothing runs from: a running service keeps the one it was started with. */
function removeReleases(app, root) {
  if (linkOf(app) === undefined) return;
  const used = [realpathSync(app)];
  if (isHere(root)) used.push(linkOf(`/proc/${mainProcess()}/cwd`));
  for (const name of readdirSync(`${app}${RELEASES}`)) {
    const release = join(`${app}${RELEASES}`, name);
    if (!used.includes(realpathSync(release))) rmSync(release, { recursive: true });
  }
}

function mainProcess() {
  const shown = spawnSync('systemctl', ['show', '--property=MainPID', '--value', NAME], { encoding: 'utf8' });
  return Number(shown.stdout);
}

function makeDataFolder({ data, name, writable }, root) {
  const path = join(root, data);
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o700);
  const line = readFileSync(join(root, 'etc/passwd'), 'utf8').match(
    new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm'),
  );
  if (line === null) throw new Error(`the account ${name} was not made`);
  const [uid, gid] = [Number(line[1]), Number(line[2])];
  chownSync(path, uid, gid);
  // Remembers the district while the disk of its data is not mounted: src/app/server/district-identity-check.ts
  writeFileSync(`${path}.district`, '', { flag: 'a', mode: 0o600 });
  chownSync(`${path}.district`, uid, gid);
  // Not done here: the disk of such a folder may not be mounted at the moment.
  for (const folder of writable) {
    const advice = adviceOn(join(root, folder), { name, uid });
    if (advice !== undefined) console.log(advice);
  }
}

function start({ data, environment }, root) {
  run('systemctl', [`--root=${root}`, 'enable', '--quiet', `${NAME}.service`]);
  if (!isHere(root)) {
    console.log(`Installed in ${root}. It starts with that machine; its settings are in ${environment}.`);
    return 0;
  }
  run('systemctl', ['daemon-reload']);
  run('systemctl', ['restart', NAME]);
  console.log(`The service runs. Its settings: ${environment}. What it says: journalctl -u ${NAME}`);
  console.log(
    `The link for the first administrator, until one is there: cat ${data}/first-administrator.txt`,
  );
  return 0;
}

function uninstall({ app, data, environment }, root) {
  const at = (path) => join(root, path);
  if (isHere(root)) spawnSync('systemctl', ['disable', '--now', '--quiet', NAME]);
  rmSync(at(`/etc/systemd/system/multi-user.target.wants/${NAME}.service`), { force: true });
  for (const path of [UNIT, SYSUSERS, COMMAND]) rmSync(at(path), { force: true });
  if (existsSync(join(at(app), COPIED))) rmSync(at(app), { recursive: true });
  rmSync(`${at(app)}${RELEASES}`, { recursive: true, force: true });
  if (isHere(root)) run('systemctl', ['daemon-reload']);
  console.log(`Removed. Left as they are: ${data}, ${environment} and the account ${NAME}.`);
  return 0;
}

/** Whether the root is that of this machine, and systemd runs it. */
function isHere(root) {
  return root === '/' && existsSync('/run/systemd/system');
}

function write(path, content, mode) {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, content, { mode });
  chmodSync(path, mode);
}

function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options });
  if (status !== 0) throw new Error(`${program} failed (${error?.message ?? `exit code ${status}`})`);
}

function complain(text, code = 1) {
  console.error(text);
  return code;
}
