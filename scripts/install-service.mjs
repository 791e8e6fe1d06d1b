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
  unitFile,
} from './service-files.mjs';

const NAME = 'volunteer-time';
const UNIT = `/etc/systemd/system/${NAME}.service`;
const SYSUSERS = `/etc/sysusers.d/${NAME}.conf`;
const COMMAND = `/usr/local/bin/${NAME}`;
/** Marks a folder that this script copied and may remove. */
const COPIED = '.copied-by-install-service';
/** The suffix of the folder with releases. The program's folder links to one, so a running server keeps its files. */
const RELEASES = '.releases';
/** What belongs to the checkout, can be rebuilt, or is for development. */
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
  const options = readArguments(args);
  if (options === undefined) return complain(USAGE, 2);
  const { root, service } = options;
  const invalid = service.writable.find((folder) => !isPlain(folder));
  if (invalid !== undefined && !options.uninstall) {
    return complain(`${invalid}: the name of a backup folder can only contain letters, digits and . _ -`);
  }
  if (options.print) {
    console.log(`# ${UNIT}\n${unitFile(service)}\n# ${service.environment}\n${environmentFile()}`);
    return 0;
  }
  if (!existsSync('/etc/debian_version')) return complain('This installs on Debian and Ubuntu only.');
  if (process.getuid?.() !== 0) return complain('Only root can install a service. Run this with sudo.');
  return options.uninstall ? uninstall(service, root) : install(service, options);
}

/** Spaces and % have a meaning in a unit file. */
function isPlain(path) {
  return /^\/[\w./-]+$/.test(path);
}

function readArguments(args) {
  const text = (fallback) => ({ type: 'string', default: fallback });
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
    const named = backupFoldersIn(readSettings(join(root, environment)));
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

/** The settings, or none for users who cannot read them, because anyone may run `--print`. */
function readSettings(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function install(service, { root, isFilesOnly }) {
  const at = (path) => join(root, path);
  const release = copyProgram(at(service.app));
  // A running server must not load modules of another version.
  if (release === undefined && !isFilesOnly && isThisMachine(root)) stop();
  write(at(UNIT), unitFile(service), 0o644);
  write(at(SYSUSERS), sysusersFile(service), 0o644);
  write(at(COMMAND), commandFile(service), 0o755);
  // Existing settings are not changed. They have passwords.
  if (existsSync(at(service.environment))) chmodSync(at(service.environment), 0o600);
  else write(at(service.environment), environmentFile(), 0o600);
  if (isFilesOnly) {
    activate(at(service.app), release);
    removeReleases(at(service.app), root);
    return 0;
  }
  const program = release ?? at(service.app);
  run(process.execPath, [join(program, 'scripts/run.mjs'), 'build'], { cwd: program });
  if (isThisMachine(root)) stop();
  activate(at(service.app), release);
  run('systemd-sysusers', [`--root=${root}`, at(SYSUSERS)]);
  makeDataFolder(service, root);
  const code = start(service, root);
  removeReleases(at(service.app), root);
  return code;
}

function stop() {
  spawnSync('systemctl', ['stop', '--quiet', NAME]);
}

/** Copies the program into a new release folder; returns undefined if the sources already are in the program's folder. */
function copyProgram(app) {
  if (existsSync(app) && realpathSync(app) === ROOT) return undefined;
  if (existsSync(app) && !existsSync(join(app, COPIED))) {
    throw new Error(`${app} contains something else. Choose another folder with --app`);
  }
  const known = existsSync(`${app}${RELEASES}`) ? readdirSync(`${app}${RELEASES}`).map(Number) : [];
  const release = join(`${app}${RELEASES}`, String(Math.max(0, ...known) + 1));
  const filter = (path) => dirname(path) !== ROOT || !NOT_COPIED.includes(basename(path));
  cpSync(ROOT, release, { recursive: true, filter });
  writeFileSync(join(release, COPIED), `from ${ROOT}\n`);
  // Hard links save downloads, and are safe because npm replaces the folder of a package that changes.
  const packages = join(app, 'node_modules');
  if (existsSync(packages)) run('cp', ['-al', `${packages}/.`, join(release, 'node_modules')]);
  return release;
}

/** Links the program's folder to a release. */
function activate(app, release) {
  if (release === undefined) return;
  // Versions without releases made it a folder.
  if (readLink(app) === undefined) rmSync(app, { recursive: true, force: true });
  rmSync(`${app}.new`, { force: true });
  symlinkSync(join(basename(`${app}${RELEASES}`), basename(release)), `${app}.new`);
  renameSync(`${app}.new`, app);
}

function readLink(path) {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Removes unused releases; a running service keeps the one it was started from. */
function removeReleases(app, root) {
  if (readLink(app) === undefined) return;
  const used = [realpathSync(app)];
  if (isThisMachine(root)) used.push(readLink(`/proc/${mainProcess()}/cwd`));
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
  if (line === null) throw new Error(`the account ${name} was not created`);
  const [uid, gid] = [Number(line[1]), Number(line[2])];
  chownSync(path, uid, gid);
  // Identifies the district while its data disk is not mounted: src/app/server/district-identity-check.ts
  writeFileSync(`${path}.district`, '', { flag: 'a', mode: 0o600 });
  chownSync(`${path}.district`, uid, gid);
  // These folders are not created, because their disk may not be mounted now.
  for (const folder of writable) {
    const advice = adviceOn(join(root, folder), { name, uid });
    if (advice !== undefined) console.log(advice);
  }
}

function start({ data, environment }, root) {
  run('systemctl', [`--root=${root}`, 'enable', '--quiet', `${NAME}.service`]);
  if (!isThisMachine(root)) {
    console.log(
      `Installed in ${root}. It starts when that machine boots. Its settings are in ${environment}.`,
    );
    return 0;
  }
  run('systemctl', ['daemon-reload']);
  run('systemctl', ['restart', NAME]);
  console.log(`The service is running. Settings: ${environment}. Logs: journalctl -u ${NAME}`);
  console.log(
    `Until there is an administrator, the link for the first one is in: cat ${data}/first-administrator.txt`,
  );
  return 0;
}

function uninstall({ app, data, environment }, root) {
  const at = (path) => join(root, path);
  if (isThisMachine(root)) spawnSync('systemctl', ['disable', '--now', '--quiet', NAME]);
  rmSync(at(`/etc/systemd/system/multi-user.target.wants/${NAME}.service`), { force: true });
  for (const path of [UNIT, SYSUSERS, COMMAND]) rmSync(at(path), { force: true });
  if (existsSync(join(at(app), COPIED))) rmSync(at(app), { recursive: true });
  rmSync(`${at(app)}${RELEASES}`, { recursive: true, force: true });
  if (isThisMachine(root)) run('systemctl', ['daemon-reload']);
  console.log(`Removed. Not touched: ${data}, ${environment} and the account ${NAME}.`);
  return 0;
}

/** Whether the root is this machine's and systemd runs it. */
function isThisMachine(root) {
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
