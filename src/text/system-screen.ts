import retention from '#rooms/retention/admin-text.en.json' with { type: 'json' };
import system from '#rooms/system/admin-text.en.json' with { type: 'json' };

/** The texts of the System screen, which brings them along: few administrators ever open it. */
export const systemScreen = { system, retention } as const;
