import type { Kind } from '#rooms/categories/contract.ts';
import type { TextKey } from '#web/lib/text.ts';

type Category = Readonly<{ name: TextKey; color: string; kind: Kind; activities: readonly TextKey[] }>;

/** What volunteers usually do at a school. */
export const STARTER_SET: readonly Category[] = [
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
