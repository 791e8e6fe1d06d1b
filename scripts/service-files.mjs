// The files that `npm run install-service` writes, and its advice about folders.
import { existsSync, statSync } from 'node:fs';

const IN_A_HOME = /^\/(home|root|run\/user)\//;

/** @typedef {{ name: string, app: string, data: string, environment: string, node: string, writable: readonly string[] }} Service */

/**
 * The systemd unit.
 * @param {Service} service
 */
export function unitFile({ name, app, data, environment, node, writable }) {
  return `[Unit]
Description=Volunteer Time Tracker
Documentation=file://${app}/docs/operations.md
After=network-online.target postgresql.service
Wants=network-online.target
# Restart after every crash, without a limit.
StartLimitIntervalSec=0

[Service]
Type=exec
User=${name}
Group=${name}
WorkingDirectory=${app}
EnvironmentFile=${environment}
Environment=DATA_DIR=${data} NODE_ENV=production NODE_COMPILE_CACHE=/var/cache/${name}
ExecStart=${node} ${app}/src/app/server/main.ts
# The service counts as started when it answers /readyz; what waits for it comes after that.
ExecStartPost=${node} ${app}/scripts/wait-until-ready.mjs
Restart=always
RestartSec=5
# 78: a setting is wrong or an update failed. A restart would fail the same way.
RestartPreventExitStatus=78
# A migration of a large database takes minutes, and so does its copy.
TimeoutStartSec=3600
# It ends within 10 s.
TimeoutStopSec=15
KillMode=mixed
LimitNOFILE=65536
CacheDirectory=${name}
CacheDirectoryMode=0700
UMask=0077
SyslogIdentifier=${name}

# Writable: the data folder, the file next to it that identifies the district, and the backup folders.
ProtectSystem=strict
# A missing folder (-) fails the backup, not the start.
ReadWritePaths=${[data, `-${data}.district`, ...writable.map((folder) => `-${folder}`)].join(' ')}
ProtectHome=true
PrivateTmp=true
PrivateDevices=true
PrivateUsers=true
PrivateIPC=true
DevicePolicy=closed
NoNewPrivileges=true
CapabilityBoundingSet=
AmbientCapabilities=
ProtectClock=true
ProtectControlGroups=true
ProtectHostname=true
ProtectKernelLogs=true
ProtectKernelModules=true
ProtectKernelTunables=true
ProtectProc=invisible
ProcSubset=pid
RemoveIPC=true
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=true
RestrictRealtime=true
RestrictSUIDSGID=true
LockPersonality=true
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
# No MemoryDenyWriteExecute: the runtime compiles JavaScript in memory.

[Install]
WantedBy=multi-user.target
`;
}

/** The settings file of a new installation, with the settings that most districts need. */
export function environmentFile() {
  return `# Settings of the Volunteer Time Tracker, one per line: NAME=value. docs/operations.md explains each one.
# Restart after a change: systemctl restart volunteer-time
PORT=3000
HOST=127.0.0.1
#PUBLIC_URL=https://volunteers.example.org
#TRUSTED_PROXIES=127.0.0.1
#DISTRICT_NAME=Maple Grove Schools
#SUPPORT_EMAIL=help@example.org
#TIME_ZONE=America/Chicago
#SMTP_URL=smtp://user:password@mail.example.org:587
#MAIL_FROM=Maple Grove <hours@example.org>
#DATABASE_URL=postgres://user:password@127.0.0.1/hours
# Folders on another disk. Run npm run install-service again after a change, because the service can write only there.
#BACKUP_TO=/mnt/backups
#BACKUP_LOG_TO=/mnt/log
`;
}

/**
 * The path of the Node among an app's packages, or undefined if the service can use the installing one: that is not too old and
 * not in a home, which the service cannot access (ProtectHome). The file need not exist yet.
 */
export function packagedNode(app, { version, arch, path = '' }) {
  const isOld = Number(version.split('.')[0]) < 24;
  return (isOld || IN_A_HOME.test(path)) && ['x64', 'arm64'].includes(arch)
    ? `${app}/node_modules/node-linux-${arch}/bin/node`
    : undefined;
}

/** The folders that settings name for backups. */
export function backupFoldersIn(settings) {
  return [...settings.matchAll(/^(?:BACKUP_TO|BACKUP_LOG_TO)=["']?(\/[^"'\n]*)/gm)].map(([, path]) =>
    path.trimEnd(),
  );
}

/** What an administrator must do before an account can write into a folder; undefined if nothing. */
export function adviceOn(folder, { name, uid }) {
  if (!existsSync(folder)) {
    return `${folder} does not exist. Mount its disk, or create it: install -d -m 700 -o ${name} ${folder}`;
  }
  const { uid: owner, mode } = statSync(folder);
  // Whether the account is in the folder's group is unknown here.
  if (owner === uid || (mode & 0o022) !== 0) return undefined;
  return `${folder} belongs to another account: chown ${name}: ${folder}`;
}

/** The service's account, without a password, a shell or a home. */
export function sysusersFile({ name, data }) {
  return `u ${name} - "Volunteer Time Tracker" ${data} /usr/sbin/nologin\n`;
}

/** The command that runs others (`volunteer-time backup --to ...`) as the service's account with its settings. */
export function commandFile({ name, app, data, environment, node }) {
  return `#!/bin/sh
# volunteer-time backup --to /mnt/backups: the commands of npm run, with the settings of the service.
# For a restore, after you move the old folder away.
[ -d ${data} ] || install -d -m 0700 -o ${name} -g ${name} ${data}
exec systemd-run --quiet --pipe --wait --collect --uid=${name} --gid=${name} \\
  --property=EnvironmentFile=${environment} --property=WorkingDirectory=${app} --property=UMask=0077 \\
  --setenv=DATA_DIR=${data} --setenv=NODE_ENV=production \\
  ${node} ${app}/scripts/run.mjs "$@"
`;
}
