// The server's nightly backup, in its own process: see #server/backup/nightly-backup.ts.
import type { BackupAnswer, BackupProgress } from '#server/backup/nightly-backup.ts';
import { readConfig, settingsIn } from '#server/config.ts';
import { setPrivateUmask } from '#server/storage/private-files.ts';
import { backUpDistrict, backupFailureReason } from './run-backup.ts';

const TELL_EVERY_MS = 1_000;

// The server exited: kill this process group, with children such as pg_dump.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
setPrivateUmask();

let toldAt = 0;
const onProgress = (photos: BackupProgress | null) => {
  if (performance.now() - toldAt < TELL_EVERY_MS) return;
  toldAt = performance.now();
  process.send?.({ progress: photos } satisfies BackupAnswer);
};

answer(await result());

async function result(): Promise<BackupAnswer> {
  try {
    const config = readConfig(process.env);
    if (config.backup === undefined) throw new Error('BACKUP_TO is not set');
    const { to, recipient } = config.backup;
    const settings = settingsIn(process.env);
    return { made: await backUpDistrict({ config, settings, to, recipient, nightly: true, onProgress }) };
  } catch (error) {
    const reason = backupFailureReason(error);
    if (reason === undefined) console.error(error);
    return { failed: reason ?? 'an internal error; see the log' };
  }
}

function answer(words: BackupAnswer): void {
  process.send?.(words, () => process.exit(0));
}
