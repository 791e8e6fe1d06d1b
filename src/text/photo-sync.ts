import driveSyncScreens from '#rooms/drive-sync/admin-text.en.json' with { type: 'json' };
import driveSync from '#rooms/drive-sync/text.en.json' with { type: 'json' };

/** The texts of Photo Sync, which brings them along. */
export const photoSync = { 'drive-sync': { ...driveSync, ...driveSyncScreens } } as const;
