import './admin-system-texts.ts';

/** The choice about letters about backups, with its texts. */
export { BackupMailChoice } from '#rooms/system/web/admin-backup-mail.tsx';
