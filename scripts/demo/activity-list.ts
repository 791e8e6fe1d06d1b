import type { Kind } from '#features/activities/categories/contract.ts';
import type { Theme } from './notes.ts';
import { required, rowsOf, wordsOf } from './parse-lists.ts';

/** The categories that every school has; each takes the next color of `COLORS`. */
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
).map((row) => ({ ...row, kind: required<Kind>(row.kind), name: required(row.name) }));

/** Colors as administrators choose them, including awkward ones: pale yellow, near black, names, short and long hex. */
export const COLORS = wordsOf(`
  #e67e22, #3498db, #fff9c4, #0b1437, tomato, rebeccapurple, #2a9, #16a085, gold, navy, #f5f5f5, #c0392b, teal,
  #8e44adcc, LightPink, #27ae60`);

/** The description from which an activity is created. */
export type Idea = Readonly<{
  /** When it takes place, in the form that `IDEAS` describes for its kind. */
  when: string;
  category: string;
  theme: Theme;
  name: string;
  /** Some names are not translated, and some are Spanish to begin with, as in a real district. */
  spanish: string | null;
  description: string | null;
  /** The prompt for the notes, if the activity requires notes. */
  prompt: string | null;
}>;

/**
 * Ideas by kind, which decides the format of `when`. Yearly: month and day, weekday (0 is Sunday), and number of days. Near,
 * for any season: number of days. Dated: days from today, and number of days. Retired ones are inactive but have entries.
 */
export const IDEAS: Readonly<Record<string, readonly Idea[]>> = Object.groupBy(
  rowsOf(
    ['kind', 'when', 'category', 'theme', 'name', 'spanish', 'description', 'prompt'],
    `
  classroom | | Classroom | reading | Reading Buddies | Compañeros de lectura | Twenty minutes with each reader.
  classroom | | Classroom | classroom | Math Centers Helper | Ayuda en los centros de matemáticas
  classroom | | Classroom | classroom | Other Classroom Help | Otra ayuda en el salón de clases | | the room and what you did
  classroom | | Classroom | office | Copying and Laminating | Copias y plastificado | The tray is in the work room.
  classroom | | Classroom | classroom | Science Lab Set-up
  classroom | | Classroom | arts | Art Docent | | One picture, one hour, paint included.
  classroom | | Classroom | reading | English Conversation Table
  classroom | | Classroom | classroom | Homework Club | Club de tareas
  classroom | | Classroom | classroom | Room Parent | Representante del salón
  classroom | | Classroom | classroom | Kindergarten Tying-Shoes-and-Zippers Patrol
  classroom | | Classroom | reading | Lectura en voz alta | | Cuentos en español, K a 2.º
  classroom | | Classroom | classroom | Chess and Board Games at Lunch
  ongoing | | Library & Media | library | Library Shelving | Ordenar los libros de la biblioteca
  ongoing | | Garden & Grounds | safety | Crossing Guard | Guardia de cruce | Vests hang by the front office.
  ongoing | | Garden & Grounds | garden | School Garden | Huerto escolar
  ongoing | | Library & Media | translation | Translation and Interpreting | Traducción e interpretación | | the meeting or document
  ongoing | | Garden & Grounds | safety | Lunch and Recess Monitor | Supervisión del almuerzo y el recreo
  ongoing | | Arts & Música | arts | Costume Closet | Vestuario
  ongoing | | Fundraising | food | Weekend Food Backpacks | Mochilas de comida para el fin de semana
  ongoing | | Fundraising | office | Parent Association Board | | | what the time was spent on
  ongoing | | Library & Media | library | Book Repair
  ongoing | | Arts & Música | arts | Piano Accompanist
  ongoing | | Athletics | food | Concession Stand | Puesto de comida
  yearly | 08-28 4 1 | Events | event | Back-to-School Night | Noche de regreso a clases
  yearly | 10-14 1 5 | Events | library | Fall Book Fair | Feria del libro de otoño
  yearly | 10-24 6 1 | Events | event | Harvest Carnival | Carnaval de la cosecha | Games, cake walk, chili cook-off.
  yearly | 11-01 5 2 | Events | arts | Ofrenda para el Día de los Muertos
  yearly | 11-20 4 1 | Events | food | Thanksgiving Luncheon
  yearly | 12-11 4 1 | Events | arts | Winter Concert | Concierto de invierno
  yearly | 02-05 5 1 | Events | event | Tết and Lunar New Year Celebration
  yearly | 02-19 4 2 | Events | event | Science Fair | Feria de ciencias | Judges, set-up and the volcano table.
  yearly | 03-20 5 1 | Events | food | Fête de la Francophonie
  yearly | 04-16 4 3 | Events | arts | Spring Musical | Musical de primavera
  yearly | 05-05 1 5 | Events | food | Teacher Appreciation Week | Semana de agradecimiento a los maestros
  yearly | 05-29 5 1 | Events | sports | Field Day | Día de juegos al aire libre
  yearly | 06-10 3 1 | Events | event | Moving-Up Ceremony | Ceremonia de promoción
  yearly | 07-13 1 12 | Events | classroom | Summer Bridge Camp
  near | 1 | Events | food | Pancake Breakfast | Desayuno de panqueques
  near | 1 | Events | event | Family Math Night | Noche de matemáticas en familia
  near | 1 | Events | office | School Picture Day | Día de la foto escolar
  near | 1 | Events | reading | Noche de lectura en familia
  near | 3 | Events | garden | Campus Clean-up Days | Días de limpieza de la escuela
  near | 1 | Events | food | Multicultural Potluck | | | what you brought or set up
  near | 1 | Events | event | Outdoor Movie Night | Noche de cine al aire libre
  near | 2 | Events | event | Uniform and Coat Swap
  dated | -24 1 | Field Trips | trip | Field Trip: Natural History Museum | | | your group
  dated | -75 90 | Athletics | sports | Basketball Season Scorekeeping
  dated | -40 60 | Arts & Música | arts | Musical Set Construction
  dated | -130 30 | Fundraising | office | Walk-a-thon Pledges
  dated | 12 1 | Field Trips | trip | Field Trip: Salmon Hatchery
  dated | -200 260 | Library & Media | office | Yearbook Photos and Captions
  dated | -60 14 | Garden & Grounds | garden | Raised Beds Rebuild
  dated | -160 50 | Athletics | sports | Cross-Country Meet Marshals
  dated | -9 20 | Arts & Música | arts | Interdisciplinary Science, Technology, Engineering, Arts & Mathematics Showcase: Hallway Displays and Take-Down | | Boards come from the district warehouse on a pallet. Please measure before you cut, label every board with the room, and keep the fire doors clear at all times: the inspector does look.
  dated | -290 25 | Fundraising | office | Holiday Wreath Sale
  retired | | Fundraising | office | Box Top Clipping
  retired | | Library & Media | office | Paper Newsletter Folding
  retired | | Classroom | classroom | Overhead Projector Cart
  retired | | Garden & Grounds | garden | Front Hall Aquarium`,
  ).map(({ kind, when, ...row }) => ({
    ...row,
    kind: required(kind),
    when: when ?? '',
    category: required(row.category),
    theme: required<Theme>(row.theme),
    name: required(row.name),
  })),
  ({ kind }) => kind,
) as Record<string, Idea[]>;
