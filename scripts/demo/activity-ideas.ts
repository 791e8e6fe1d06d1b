import type { Kind } from '#rooms/categories/contract.ts';

/** The theme of an activity, which decides which notes fit it. */
export type Theme =
  | 'arts'
  | 'classroom'
  | 'event'
  | 'food'
  | 'garden'
  | 'library'
  | 'office'
  | 'reading'
  | 'safety'
  | 'sports'
  | 'translation'
  | 'trip';

/** A category that every school has; colours come from `COLORS` in turn unless one is given. */
export const CATEGORY_IDEAS = [
  { name: 'Events', kind: 'event', description: 'Evenings, fairs and celebrations, planning time included' },
  { name: 'Classroom', kind: 'classroom', description: 'Helping a teacher during the school day' },
  { name: 'Library & Media', kind: 'other', description: null },
  { name: 'Fundraising', kind: 'other', description: 'Drives and sales run by the parent association' },
  { name: 'Arts & Música', kind: 'other', description: 'Concerts, plays, the costume closet' },
  { name: 'Garden & Grounds', kind: 'other', description: null },
  { name: 'Athletics', kind: 'other', description: 'Teams, meets and the concession stand' },
  {
    name: 'Field Trips',
    kind: 'other',
    description: 'Chaperones and drivers; a background check is required',
  },
] as const satisfies readonly { name: string; kind: Kind; description: string | null }[];

export type CategoryName = (typeof CATEGORY_IDEAS)[number]['name'];

/** Colours as administrators choose them, awkward ones among them: pale yellow, near black, names, short and long hex. */
export const COLORS = [
  '#e67e22',
  '#3498db',
  '#fff9c4',
  '#0b1437',
  'tomato',
  'rebeccapurple',
  '#2a9',
  '#16a085',
  'gold',
  'navy',
  '#f5f5f5',
  '#c0392b',
  'teal',
  '#8e44adcc',
  'LightPink',
  '#27ae60',
] as const;

type Idea = Readonly<{
  name: string;
  category: CategoryName;
  theme: Theme;
  description?: string;
  /** The notes of activities that require a description. */
  prompt?: string;
}>;

/** Without dates, in the classroom. */
export const CLASSROOM_IDEAS: readonly Idea[] = [
  {
    name: 'Reading Buddies',
    category: 'Classroom',
    theme: 'reading',
    description: 'Twenty minutes with each reader.',
  },
  { name: 'Math Centers Helper', category: 'Classroom', theme: 'classroom' },
  {
    name: 'Other Classroom Help',
    category: 'Classroom',
    theme: 'classroom',
    prompt: 'the room and what you did',
  },
  {
    name: 'Copying and Laminating',
    category: 'Classroom',
    theme: 'office',
    description: 'The tray is in the work room.',
  },
  { name: 'Science Lab Set-up', category: 'Classroom', theme: 'classroom' },
  {
    name: 'Art Docent',
    category: 'Classroom',
    theme: 'arts',
    description: 'One picture, one hour, paint included.',
  },
  { name: 'English Conversation Table', category: 'Classroom', theme: 'reading' },
  { name: 'Homework Club', category: 'Classroom', theme: 'classroom' },
  { name: 'Room Parent', category: 'Classroom', theme: 'classroom' },
  { name: 'Kindergarten Tying-Shoes-and-Zippers Patrol', category: 'Classroom', theme: 'classroom' },
  {
    name: 'Lectura en voz alta',
    category: 'Classroom',
    theme: 'reading',
    description: 'Cuentos en español, K a 2.º',
  },
  { name: 'Chess and Board Games at Lunch', category: 'Classroom', theme: 'classroom' },
];

/** Without dates, all over the school. */
export const ONGOING_IDEAS: readonly Idea[] = [
  { name: 'Library Shelving', category: 'Library & Media', theme: 'library' },
  {
    name: 'Crossing Guard',
    category: 'Garden & Grounds',
    theme: 'safety',
    description: 'Vests hang by the front office.',
  },
  { name: 'School Garden', category: 'Garden & Grounds', theme: 'garden' },
  {
    name: 'Translation and Interpreting',
    category: 'Library & Media',
    theme: 'translation',
    prompt: 'the meeting or document',
  },
  { name: 'Lunch and Recess Monitor', category: 'Garden & Grounds', theme: 'safety' },
  { name: 'Costume Closet', category: 'Arts & Música', theme: 'arts' },
  { name: 'Weekend Food Backpacks', category: 'Fundraising', theme: 'food' },
  {
    name: 'Parent Association Board',
    category: 'Fundraising',
    theme: 'office',
    prompt: 'what the time was spent on',
  },
  { name: 'Book Repair', category: 'Library & Media', theme: 'library' },
  { name: 'Piano Accompanist', category: 'Arts & Música', theme: 'arts' },
  { name: 'Concession Stand', category: 'Athletics', theme: 'food' },
];

/** Once a year, around a month and day, on a weekday (0 is Sunday), for so many days. */
export const YEARLY_IDEAS: readonly (Idea & { on: string; weekday: number; days: number })[] = [
  { name: 'Back-to-School Night', category: 'Events', theme: 'event', on: '08-28', weekday: 4, days: 1 },
  { name: 'Fall Book Fair', category: 'Events', theme: 'library', on: '10-14', weekday: 1, days: 5 },
  {
    name: 'Harvest Carnival',
    category: 'Events',
    theme: 'event',
    on: '10-24',
    weekday: 6,
    days: 1,
    description: 'Games, cake walk, chili cook-off.',
  },
  {
    name: 'Ofrenda para el Día de los Muertos',
    category: 'Events',
    theme: 'arts',
    on: '11-01',
    weekday: 5,
    days: 2,
  },
  { name: 'Thanksgiving Luncheon', category: 'Events', theme: 'food', on: '11-20', weekday: 4, days: 1 },
  { name: 'Winter Concert', category: 'Events', theme: 'arts', on: '12-11', weekday: 4, days: 1 },
  {
    name: 'Tết and Lunar New Year Celebration',
    category: 'Events',
    theme: 'event',
    on: '02-05',
    weekday: 5,
    days: 1,
  },
  {
    name: 'Science Fair',
    category: 'Events',
    theme: 'event',
    on: '02-19',
    weekday: 4,
    days: 2,
    description: 'Judges, set-up and the volcano table.',
  },
  { name: 'Fête de la Francophonie', category: 'Events', theme: 'food', on: '03-20', weekday: 5, days: 1 },
  { name: 'Spring Musical', category: 'Events', theme: 'arts', on: '04-16', weekday: 4, days: 3 },
  { name: 'Teacher Appreciation Week', category: 'Events', theme: 'food', on: '05-05', weekday: 1, days: 5 },
  { name: 'Field Day', category: 'Events', theme: 'sports', on: '05-29', weekday: 5, days: 1 },
  { name: 'Moving-Up Ceremony', category: 'Events', theme: 'event', on: '06-10', weekday: 3, days: 1 },
  { name: 'Summer Bridge Camp', category: 'Events', theme: 'classroom', on: '07-13', weekday: 1, days: 12 },
];

/** At any time of the year: so many days from today (a different number for each school), lasting so many days. */
export const NEAR_IDEAS: readonly (Idea & { days: number })[] = [
  { name: 'Pancake Breakfast', category: 'Events', theme: 'food', days: 1 },
  { name: 'Family Math Night', category: 'Events', theme: 'event', days: 1 },
  { name: 'School Picture Day', category: 'Events', theme: 'office', days: 1 },
  { name: 'Noche de lectura en familia', category: 'Events', theme: 'reading', days: 1 },
  { name: 'Campus Clean-up Days', category: 'Events', theme: 'garden', days: 3 },
  {
    name: 'Multicultural Potluck',
    category: 'Events',
    theme: 'food',
    days: 1,
    prompt: 'what you brought or set up',
  },
  { name: 'Outdoor Movie Night', category: 'Events', theme: 'event', days: 1 },
  { name: 'Uniform and Coat Swap', category: 'Events', theme: 'event', days: 2 },
];

/** Dated, neither event nor classroom: so many days from today, for so many days. */
export const DATED_IDEAS: readonly (Idea & { from: number; days: number })[] = [
  {
    name: 'Field Trip: Natural History Museum',
    category: 'Field Trips',
    theme: 'trip',
    from: -24,
    days: 1,
    prompt: 'your group',
  },
  { name: 'Basketball Season Scorekeeping', category: 'Athletics', theme: 'sports', from: -75, days: 90 },
  { name: 'Musical Set Construction', category: 'Arts & Música', theme: 'arts', from: -40, days: 60 },
  { name: 'Walk-a-thon Pledges', category: 'Fundraising', theme: 'office', from: -130, days: 30 },
  { name: 'Field Trip: Salmon Hatchery', category: 'Field Trips', theme: 'trip', from: 12, days: 1 },
  {
    name: 'Yearbook Photos and Captions',
    category: 'Library & Media',
    theme: 'office',
    from: -200,
    days: 260,
  },
  { name: 'Raised Beds Rebuild', category: 'Garden & Grounds', theme: 'garden', from: -60, days: 14 },
  { name: 'Cross-Country Meet Marshals', category: 'Athletics', theme: 'sports', from: -160, days: 50 },
  {
    name: 'Interdisciplinary Science, Technology, Engineering, Arts & Mathematics Showcase: Hallway Displays and Take-Down',
    category: 'Arts & Música',
    theme: 'arts',
    from: -9,
    days: 20,
    description:
      'Boards come from the district warehouse on a pallet. Please measure before you cut, label every board with the room, and keep the fire doors clear at all times: the inspector does look.',
  },
  { name: 'Holiday Wreath Sale', category: 'Fundraising', theme: 'office', from: -290, days: 25 },
];

/** Discontinued: inactive, though they have entries. */
export const RETIRED_IDEAS: readonly Idea[] = [
  { name: 'Box Top Clipping', category: 'Fundraising', theme: 'office' },
  { name: 'Paper Newsletter Folding', category: 'Library & Media', theme: 'office' },
  { name: 'Overhead Projector Cart', category: 'Classroom', theme: 'classroom' },
  { name: 'Front Hall Aquarium', category: 'Garden & Grounds', theme: 'garden' },
];
