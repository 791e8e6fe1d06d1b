import analytics from '#rooms/analytics/text.en.json' with { type: 'json' };
import ownData from '#rooms/own-data/text.en.json' with { type: 'json' };
import photos from '#rooms/photos/text.en.json' with { type: 'json' };
import suggestions from '#rooms/suggestions/text.en.json' with { type: 'json' };

/** The texts of what opens after the first screens: dialogs, photos, the statement of hours and the Admin Panel. */
export const onDemand = { suggestions, photos, analytics, 'own-data': ownData } as const;
