import { expect, test } from 'vitest';
import { findMissingColumns, guessColumns } from './column-mapping.ts';

test.each([
  [
    ['Nombre completo', 'Correo electrónico', 'Actividad', 'Fecha', 'Llegada', 'Salida', 'Notas'],
    ['name', 'email', 'activity', 'date', 'checkIn', 'checkOut', 'notes'],
  ],
  [
    ['Nombre', 'Apellido', 'Actividad', 'Fecha', 'Horas'],
    ['firstName', 'lastName', 'activity', 'date', 'hours'],
  ],
  [
    ['Nombre', 'Actividad', 'Fecha', 'Horas'],
    ['name', 'activity', 'date', 'hours'],
  ],
])('guessColumns recognizes the Spanish column names %j', (header, columns) => {
  expect(guessColumns(header)).toEqual(columns);
  expect(findMissingColumns(guessColumns(header), [])).toEqual([]);
});
