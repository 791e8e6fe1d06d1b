/** Stands for a mail server that the district set and this process cannot unseal: emails wait. */
export const UNREADABLE_EMAIL_SERVER = 'unreadable:';
