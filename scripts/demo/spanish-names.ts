import { fold } from '#base/text.ts';

/**
 * What the demo's categories and activities are called in Spanish, by their first names. Some have none, as in a district where
 * nobody has come to them yet, and a few were given in Spanish first.
 */
const SPANISH: Readonly<Record<string, string>> = {
  Events: 'Eventos',
  Classroom: 'Salón de clases',
  'Library & Media': 'Biblioteca y medios',
  Fundraising: 'Recaudación de fondos',
  'Arts & Música': 'Arte y música',
  'Garden & Grounds': 'Jardín y patios',
  Athletics: 'Deportes',
  'Field Trips': 'Excursiones',
  'Reading Buddies': 'Compañeros de lectura',
  'Math Centers Helper': 'Ayuda en los centros de matemáticas',
  'Other Classroom Help': 'Otra ayuda en el salón de clases',
  'Copying and Laminating': 'Copias y plastificado',
  'Homework Club': 'Club de tareas',
  'Room Parent': 'Representante del salón',
  'Library Shelving': 'Ordenar los libros de la biblioteca',
  'Crossing Guard': 'Guardia de cruce',
  'School Garden': 'Huerto escolar',
  'Translation and Interpreting': 'Traducción e interpretación',
  'Lunch and Recess Monitor': 'Supervisión del almuerzo y el recreo',
  'Costume Closet': 'Vestuario',
  'Weekend Food Backpacks': 'Mochilas de comida para el fin de semana',
  'Concession Stand': 'Puesto de comida',
  'Back-to-School Night': 'Noche de regreso a clases',
  'Fall Book Fair': 'Feria del libro de otoño',
  'Harvest Carnival': 'Carnaval de la cosecha',
  'Winter Concert': 'Concierto de invierno',
  'Science Fair': 'Feria de ciencias',
  'Spring Musical': 'Musical de primavera',
  'Teacher Appreciation Week': 'Semana de agradecimiento a los maestros',
  'Field Day': 'Día de juegos al aire libre',
  'Moving-Up Ceremony': 'Ceremonia de promoción',
  'Pancake Breakfast': 'Desayuno de panqueques',
  'Family Math Night': 'Noche de matemáticas en familia',
  'School Picture Day': 'Día de la foto escolar',
  'Campus Clean-up Days': 'Días de limpieza de la escuela',
  'Outdoor Movie Night': 'Noche de cine al aire libre',
};

/** The columns of a name in Spanish, if it has one. */
export function inSpanish(name: string) {
  const spanish = SPANISH[name];
  return {
    translations: spanish === undefined ? null : JSON.stringify({ es: { name: spanish } }),
    translated_key: spanish === undefined ? '' : fold(spanish),
  };
}
