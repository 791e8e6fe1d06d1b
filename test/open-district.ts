import { expect } from 'vitest';
import type { Child } from './server-process.ts';

/** The first administrator, whom `ADMIN_SETTINGS` creates. */
export const ADMIN = { email: 'ada@maplegrove.example', password: 'maple-lantern-42' } as const;

export const ADMIN_SETTINGS = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password } as const;

/** Makes a school with an activity and a volunteer through the API, as in a new installation. */
export async function openDistrict(child: Child) {
  const signedIn = await post(child, 200, 'POST /api/auth/login', ADMIN);
  const admin: string = signedIn.token;
  const { school } = await post(child, 201, 'POST /api/admin/schools', { name: 'Lincoln' }, admin);
  const { category } = await post(
    child,
    201,
    'POST /api/admin/categories',
    { schoolId: school.id, name: 'Events' },
    admin,
  );
  const { activity } = await post(
    child,
    201,
    'POST /api/admin/activities',
    { schoolId: school.id, categoryId: category.id, name: 'Book fair' },
    admin,
  );
  const registered = await post(child, 201, 'POST /api/auth/register', {
    email: 'vera@maplegrove.example',
    password: 'quiet-harbor-58',
    firstName: 'Vera',
    lastName: 'Volt',
    schoolIds: [school.id],
  });
  const volunteer: string = registered.token;
  return { admin, volunteer, school, category, activity };
}

async function post(child: Child, status: number, call: string, body: object, token?: string) {
  const reply = await child.call(call, { token, body });
  expect([call, reply.status, reply.body]).toEqual([call, status, expect.anything()]);
  return reply.body;
}
