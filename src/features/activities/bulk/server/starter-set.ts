import type { Deps } from '#server/deps.ts';
import { defaultLanguage } from '#server/i18n/recipient-language.ts';
import { OTHER_LANGUAGES, type Translations } from '#shared/content-translations.ts';
import type { Kind } from '../../categories/contract.ts';
import type { StarterSet } from '../contract.ts';

/**
 * Returns common school activities, named in the district's first language for every viewer, with translations for its
 * other languages.
 */
export function buildStarterSet(deps: Deps): StarterSet {
  const { languages } = deps.config;
  const first = deps.translators.forLanguage(defaultLanguage(deps));
  const others = OTHER_LANGUAGES.filter((language) => languages.slice(1).includes(language));
  const named = (key: string) => {
    const translations = others.map((language) => [
      language,
      { name: deps.translators.forLanguage(language).t(key) },
    ]);
    return {
      name: first.t(key),
      translations: others.length === 0 ? null : (Object.fromEntries(translations) as Translations<'name'>),
    };
  };
  return {
    categories: STARTER_SET.map(({ name, color, kind, activities }) => ({
      ...named(name),
      color,
      kind,
      activities: activities.map(named),
    })),
  };
}

type Category = Readonly<{ name: string; color: string; kind: Kind; activities: readonly string[] }>;

const STARTER_SET: readonly Category[] = [
  {
    name: 'activities:starterEvents',
    color: '#c05621',
    kind: 'event',
    activities: [
      'activities:starterBookFair',
      'activities:starterCarnival',
      'activities:starterBakeSale',
      'activities:starterScienceFair',
      'activities:starterTalentShow',
    ],
  },
  {
    name: 'activities:starterClassroom',
    color: '#2b6cb0',
    kind: 'classroom',
    activities: [
      'activities:starterReading',
      'activities:starterClassroomHelper',
      'activities:starterRoomParent',
      'activities:starterArtHelper',
      'activities:starterFieldTrip',
    ],
  },
  {
    name: 'activities:starterLearning',
    color: '#6b46c1',
    kind: 'other',
    activities: ['activities:starterLibrary', 'activities:starterHomework', 'activities:starterMath'],
  },
  {
    name: 'activities:starterCampus',
    color: '#2f855a',
    kind: 'other',
    activities: [
      'activities:starterGarden',
      'activities:starterCleanUp',
      'activities:starterCrossing',
      'activities:starterLunch',
    ],
  },
  {
    name: 'activities:starterCommittees',
    color: '#b7791f',
    kind: 'other',
    activities: [
      'activities:starterMeeting',
      'activities:starterFundraising',
      'activities:starterNewsletter',
      'activities:starterAppreciation',
    ],
  },
  {
    name: 'activities:starterClubs',
    color: '#9b2c2c',
    kind: 'other',
    activities: [
      'activities:starterSports',
      'activities:starterCoaching',
      'activities:starterMusic',
      'activities:starterTheater',
    ],
  },
];
