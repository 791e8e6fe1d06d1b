import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openApiDocument } from '#server/http/openapi.ts';
import { VERSION } from '#server/version.ts';
import { startApp } from '#test/harness.ts';

const committed = JSON.parse(readFileSync('docs/api/openapi.json', 'utf8'));

test('docs/api/openapi.json has every endpoint and field of the server (npm run openapi writes it)', async () => {
  const { app } = await startApp();
  const document = JSON.parse(JSON.stringify(openApiDocument(app.mountedEndpoints, VERSION)));
  expect(Object.keys(document.paths)).toEqual(Object.keys(committed.paths));
  for (const [path, calls] of Object.entries(document.paths)) {
    expect([path, calls]).toEqual([path, committed.paths[path]]);
  }
  expect(document).toEqual(committed);
});

test('the OpenAPI document describes parameters, bodies, replies, files and permissions', () => {
  const { paths } = committed;
  expect(paths['/api/admin/categories/{id}'].put).toMatchObject({
    'x-permission': 'edit categories',
    security: [{ session: [] }],
    parameters: [{ name: 'id', in: 'path', required: true }],
    requestBody: { content: { 'application/json': { schema: { properties: { name: {}, color: {} } } } } },
    responses: { 200: { content: { 'application/json': {} } }, default: {} },
  });
  expect(paths['/api/auth/login'].post).toMatchObject({ 'x-permission': 'public', security: [] });
  expect(paths['/api/exports/{token}'].get.responses[200].content).toEqual({ '*/*': {} });
});
