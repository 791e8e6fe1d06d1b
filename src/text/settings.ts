import sessions from '#rooms/users/session-text.en.json' with { type: 'json' };
import web from '#web/settings-text.en.json' with { type: 'json' };

/** The texts of Account Settings alone, which the dialog brings along. */
export const settings = { web, users: sessions } as const;
