import { wordsOf } from './parse-lists.ts';
import type { Random } from './random.ts';

const TEACHERS = wordsOf(`
  Mrs. Okafor, Mr. Lindqvist, Ms. Tran, Señora Ruiz, Mr. Begay, Ms. Haddad, Mrs. Kowalczyk, Mr. Osei,
  Ms. Yamamoto, Mrs. Delgado, Mr. Goldberg, Ms. Begum`);
const GRADES = wordsOf(
  'kindergarten, 1st grade, 2nd grade, 3rd grade, 4th grade, 5th grade, 6th grade, 7th grade',
);

const TEXTS = {
  arts: `
    Hemmed {n} costumes, two more to go. | Painted the backdrop with {teacher} |
    Set up chairs and risers, handed out programs. | Rehearsal. The brass section is finally awake! |
    Sorted the costume closet by size | Collage with tissue paper, {grade}, {n} kids |
    Built the balcony for Act II. Needs a second coat of paint. | Stayed late for the lighting cues`,
  classroom: `
    Math centers with {teacher}, {grade} | Helped {n} kids with fractions |
    Small group, spelling and sight words | Covered for another parent who was sick |
    Cut out {n} name tags and put them on the cubbies | Prepared materials for next week |
    Worked one on one with a new student, he is doing great |
    Volcano experiment with {grade}. Bring more vinegar next time. |
    Sorted {teacher}'s bookshelves by level | Phone calls about the class party | homework club, quiet day`,
  event: `
    Set-up and take-down | Planning meeting with the committee | Ran the ring toss booth |
    Ticket table with {teacher} | Picked up the tables from the high school and brought them back |
    Called {n} local businesses for raffle prizes. Four said yes! | Parking lot duty, rain the whole time |
    Cleaned the cafeteria afterwards | Made signs and hung them up |
    Counted the cash box twice with the treasurer: it matches. | Planning call, then ordered supplies |
    Greeted families at the door, handed out {n} programs`,
  food: `
    Flipped pancakes for two hours straight | Packed {n} backpacks | Baked {n} cookies at home (nut-free) |
    Shopping for supplies, receipts are with the treasurer | Serving line and dishes |
    Coffee and pastries for the staff lounge | Unloaded the food bank truck |
    Grill duty. We ran out of buns at 6. | Crêpes! Sold all {n}.`,
  garden: `
    Weeded the tomato beds with {grade} | Watering and compost | Planted {n} bulbs along the fence |
    Fixed the drip line again, the timer needs a new battery | Spread mulch. My back will remember. |
    Harvested zucchini, kids took them home | Picked up litter behind the gym, {n} bags`,
  library: `
    Shelved two carts | Repaired {n} books, mostly spines |
    Checked in returns and called about overdue ones | Book fair cash register |
    Unpacked the new books and put on labels | Helped {grade} find books on sharks |
    Inventory, fiction A to K`,
  office: `
    Copied and stapled {n} packets for {teacher} | Laminated posters |
    Stuffed envelopes for the whole school | Board meeting and minutes |
    Updated the sign-up sheets and the calendar | Budget spreadsheet for the treasurer |
    Sorted order forms, chased {n} missing ones | Wrote thank-you cards`,
  reading: `
    Read with {n} students | Reading with {teacher}, {grade} |
    Finished "Charlotte's Web". There were tears, mostly mine. |
    Leímos dos cuentos y dibujamos los personajes | Practiced sight words |
    One of my readers moved up two levels today! | Listened to {n} kids read aloud`,
  safety: `
    Morning shift, north crosswalk | Afternoon pick-up line | Recess duty with {grade}. One scraped knee. |
    Substitute for the regular guard | Lunch room, opened about {n} yogurts | Foggy, cars slow for once`,
  sports: `
    Scorekeeping, two games | Timed the relay | Water station and orange slices |
    Lined the field before the meet | Drove {n} players to the away game |
    Course marshal at the creek crossing | Clock and book for the girls’ game, won in overtime`,
  translation: `
    Interpreted at a parent-teacher conference, Spanish |
    Translated the lunch menu and the field trip form into Vietnamese |
    IEP meeting, two hours with the family and {teacher} |
    Called {n} families about registration, Somali and Arabic | Translated the principal’s letter |
    Conferencia con la familia y {teacher}`,
  trip: `
    Chaperone for {grade}, group of {n} | Rode the second bus | Carried lunches and the first aid kit |
    Head counts all day long: everybody came home. | Drove four students in my own car`,
};

/** The theme of an activity, which decides which notes fit it. */
export type Theme = keyof typeof TEXTS;

const LONG_NOTES: readonly string[] = [
  'Long day, but a good one. Started at seven with the delivery, which came on the wrong side of the building, so four of us carried everything through the gym. Set up until ten, then ran the front table, then helped where help was needed. Two tables are wobbly and should not go out again; I put tape on them. The keys are back with the front office and the leftover supplies are on the second shelf in the storage room, labeled.',
  'To do next time:\n- order the supplies a week earlier\n- ask for a second extension cord\n- two people at the door, one is not enough\n- bring tape!',
];

/** A random note about an activity of a theme. */
export function noteFor(theme: Theme, random: Random): string {
  if (random.chance(0.01)) return random.pick(LONG_NOTES);
  return random
    .pick(wordsOf(TEXTS[theme], /\s*\|\s*/))
    .replace('{n}', String(random.between(3, 24)))
    .replace('{teacher}', random.pick(TEACHERS))
    .replace('{grade}', random.pick(GRADES));
}
