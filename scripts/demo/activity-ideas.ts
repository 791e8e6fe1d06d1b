import type { Kind } from '#rooms/categories/contract.ts';
import { given, rowsOf, wordsOf } from './tables.ts';

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

/** A category that every school has; its color comes from `COLORS` in turn. */
export const CATEGORY_IDEAS = rowsOf(
  ['kind', 'name', 'spanish', 'description'],
  `
  event | Events | Eventos | Evenings, fairs and celebrations, planning time included
  classroom | Classroom | Salón de clases | Helping a teacher during the school day
  other | Library & Media | Biblioteca y medios
  other | Fundraising | Recaudación de fondos | Drives and sales run by the parent association
  other | Arts & Música | Arte y música | Concerts, plays, the costume closet
  other | Garden & Grounds | Jardín y patios
  other | Athletics | Deportes | Teams, meets and the concession stand
  other | Field Trips | Excursiones | Chaperones and drivers; a background check is required`,
).map((row) => ({ ...row, kind: given<Kind>(row.kind), name: given(row.name) }));

/** Colors as administrators choose them, awkward ones among them: pale yellow, near black, names, short and long hex. */
export const COLORS = wordsOf(`
  #e67e22, #3498db, #fff9c4, #0b1437, tomato, rebeccapurple, #2a9, #16a085, gold, navy, #f5f5f5, #c0392b, teal,
  #8e44adcc, LightPink, #27ae60`);

/** What an activity is made from. Not every name has come to its Spanish, as in a district; a few were given in Spanish first. */
export type Idea = Readonly<{
  name: string;
  spanish: string | null;
  category: string;
  theme: Theme;
  description: string | null;
  /** Of activities that require notes: what the notes say. */
  prompt: string | null;
  /** When it is, as the table says. */
  when: string;
}>;

const COLUMNS = ['theme', 'name', 'spanish', 'description', 'prompt'] as const;

// Each table begins with what its activities do not share.
function ideas(first: readonly ('category' | 'when')[], text: string, category = 'Events'): readonly Idea[] {
  return rowsOf([...first, ...COLUMNS], text).map((row) => ({
    ...row,
    name: given(row.name),
    theme: given<Theme>(row.theme),
    category: row.category ?? category,
    when: row.when ?? '',
  }));
}

/** Without dates, in the classroom. */
export const CLASSROOM_IDEAS = ideas(
  [],
  `
  reading | Reading Buddies | Compañeros de lectura | Twenty minutes with each reader.
  classroom | Math Centers Helper | Ayuda en los centros de matemáticas
  classroom | Other Classroom Help | Otra ayuda en el salón de clases | | the room and what you did
  office | Copying and Laminating | Copias y plastificado | The tray is in the work room.
  classroom | Science Lab Set-up
  arts | Art Docent | | One picture, one hour, paint included.
  reading | English Conversation Table
  classroom | Homework Club | Club de tareas
  classroom | Room Parent | Representante del salón
  classroom | Kindergarten Tying-Shoes-and-Zippers Patrol
  reading | Lectura en voz alta | | Cuentos en español, K a 2.º
  classroom | Chess and Board Games at Lunch`,
  'Classroom',
);

/** Without dates, all over the school. */
export const ONGOING_IDEAS = ideas(
  ['category'],
  `
  Library & Media | library | Library Shelving | Ordenar los libros de la biblioteca
  Garden & Grounds | safety | Crossing Guard | Guardia de cruce | Vests hang by the front office.
  Garden & Grounds | garden | School Garden | Huerto escolar
  Library & Media | translation | Translation and Interpreting | Traducción e interpretación | | the meeting or document
  Garden & Grounds | safety | Lunch and Recess Monitor | Supervisión del almuerzo y el recreo
  Arts & Música | arts | Costume Closet | Vestuario
  Fundraising | food | Weekend Food Backpacks | Mochilas de comida para el fin de semana
  Fundraising | office | Parent Association Board | | | what the time was spent on
  Library & Media | library | Book Repair
  Arts & Música | arts | Piano Accompanist
  Athletics | food | Concession Stand | Puesto de comida`,
);

/** Once a year; `when` is the month and day, the weekday (0 is Sunday) and for so many days. */
export const YEARLY_IDEAS = ideas(
  ['when'],
  `
  08-28 4 1 | event | Back-to-School Night | Noche de regreso a clases
  10-14 1 5 | library | Fall Book Fair | Feria del libro de otoño
  10-24 6 1 | event | Harvest Carnival | Carnaval de la cosecha | Games, cake walk, chili cook-off.
  11-01 5 2 | arts | Ofrenda para el Día de los Muertos
  11-20 4 1 | food | Thanksgiving Luncheon
  12-11 4 1 | arts | Winter Concert | Concierto de invierno
  02-05 5 1 | event | Tết and Lunar New Year Celebration
  02-19 4 2 | event | Science Fair | Feria de ciencias | Judges, set-up and the volcano table.
  03-20 5 1 | food | Fête de la Francophonie
  04-16 4 3 | arts | Spring Musical | Musical de primavera
  05-05 1 5 | food | Teacher Appreciation Week | Semana de agradecimiento a los maestros
  05-29 5 1 | sports | Field Day | Día de juegos al aire libre
  06-10 3 1 | event | Moving-Up Ceremony | Ceremonia de promoción
  07-13 1 12 | classroom | Summer Bridge Camp`,
);

/** At any time of the year, a different one for each school; `when` is for so many days. */
export const NEAR_IDEAS = ideas(
  ['when'],
  `
  1 | food | Pancake Breakfast | Desayuno de panqueques
  1 | event | Family Math Night | Noche de matemáticas en familia
  1 | office | School Picture Day | Día de la foto escolar
  1 | reading | Noche de lectura en familia
  3 | garden | Campus Clean-up Days | Días de limpieza de la escuela
  1 | food | Multicultural Potluck | | | what you brought or set up
  1 | event | Outdoor Movie Night | Noche de cine al aire libre
  2 | event | Uniform and Coat Swap`,
);

/** Dated, neither event nor classroom; `when` is so many days from today, for so many days. */
export const DATED_IDEAS = ideas(
  ['when', 'category'],
  `
  -24 1 | Field Trips | trip | Field Trip: Natural History Museum | | | your group
  -75 90 | Athletics | sports | Basketball Season Scorekeeping
  -40 60 | Arts & Música | arts | Musical Set Construction
  -130 30 | Fundraising | office | Walk-a-thon Pledges
  12 1 | Field Trips | trip | Field Trip: Salmon Hatchery
  -200 260 | Library & Media | office | Yearbook Photos and Captions
  -60 14 | Garden & Grounds | garden | Raised Beds Rebuild
  -160 50 | Athletics | sports | Cross-Country Meet Marshals
  -9 20 | Arts & Música | arts | Interdisciplinary Science, Technology, Engineering, Arts & Mathematics Showcase: Hallway Displays and Take-Down | | Boards come from the district warehouse on a pallet. Please measure before you cut, label every board with the room, and keep the fire doors clear at all times: the inspector does look.
  -290 25 | Fundraising | office | Holiday Wreath Sale`,
);

/** Discontinued: inactive, though they have entries. */
export const RETIRED_IDEAS = ideas(
  ['category'],
  `
  Fundraising | office | Box Top Clipping
  Library & Media | office | Paper Newsletter Folding
  Classroom | classroom | Overhead Projector Cart
  Garden & Grounds | garden | Front Hall Aquarium`,
);
