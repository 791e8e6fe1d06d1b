import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyPlace } from '#test/harness.ts';
import { hashToken, makeSecretKey, newToken, readSecretKey, seal, sign, unseal } from './secrets.ts';

const KEY = Buffer.from('a key of this installation, 32+ ch');
const OTHER_KEY = Buffer.from('a key of another installation, 32+');

describe('an encrypted value', () => {
  test('decrypts to the original, and differs each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const sealed = seal(KEY, 'drive', text);
        expect(unseal(KEY, 'drive', sealed)).toBe(text);
        expect(seal(KEY, 'drive', text)).not.toBe(sealed);
      }),
    );
  });

  test('does not decrypt after any bit was changed', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.integer({ min: 0, max: 7 }), (text, at, bit) => {
        const bytes = Buffer.from(seal(KEY, 'drive', text), 'base64url');
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        expect(() => unseal(KEY, 'drive', bytes.toString('base64url'))).toThrow();
      }),
    );
  });

  // A shorter authentication tag is a prefix of the whole one, and quickly guessed.
  test('does not decrypt after it was truncated', () => {
    const bytes = Buffer.from(seal(KEY, 'drive', ''), 'base64url');
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.subarray(0, length).toString('base64url');
      expect(() => unseal(KEY, 'drive', cut), `${length} bytes`).toThrow();
    }
  });

  test('does not decrypt for another purpose or with another key', () => {
    const sealed = seal(KEY, 'drive', 'a refresh token');
    expect(sealed).not.toContain(Buffer.from('refresh').toString('base64url'));
    expect(() => unseal(KEY, 'idempotency', sealed)).toThrow();
    expect(() => unseal(OTHER_KEY, 'drive', sealed)).toThrow();
  });
});

test('a signature is stable, and differs for any other text, purpose or key', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, two) => {
      expect(sign(KEY, 'cursor', one)).toBe(sign(KEY, 'cursor', one));
      expect(sign(KEY, 'cursor', one) === sign(KEY, 'cursor', two)).toBe(one === two);
      expect(sign(KEY, 'cursor', one)).not.toBe(sign(KEY, 'photo', one));
      expect(sign(KEY, 'cursor', one)).not.toBe(sign(OTHER_KEY, 'cursor', one));
    }),
  );
});

test('tokens are unique and have 256 bits, and their hash has 64 hexadecimal digits', () => {
  const tokens = Array.from({ length: 200 }, newToken);
  expect(new Set(tokens).size).toBe(200);
  for (const token of tokens) {
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(hashToken(token)).toMatch(/^[0-9a-f]{64}$/);
  }
});

describe("the installation's secret key", () => {
  test('is created once, is readable only by the owner, and does not change', async () => {
    const { dataDir } = await emptyPlace();
    expect(() => readSecretKey({ secretKey: undefined, dataDir })).toThrow('secret.key is missing');
    makeSecretKey({ secretKey: undefined, dataDir });
    const first = readSecretKey({ secretKey: undefined, dataDir });
    makeSecretKey({ secretKey: undefined, dataDir });
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
    expect(readSecretKey({ secretKey: undefined, dataDir })).toEqual(first);
    const elsewhere = await emptyPlace();
    makeSecretKey({ secretKey: undefined, dataDir: elsewhere.dataDir });
    expect(readSecretKey({ secretKey: undefined, dataDir: elsewhere.dataDir })).not.toEqual(first);
  });

  test('is SECRET_KEY if that is set, and no file is created', async () => {
    const { dataDir } = await emptyPlace();
    makeSecretKey({ secretKey: 'k'.repeat(32), dataDir });
    expect(readSecretKey({ secretKey: 'k'.repeat(32), dataDir }).toString()).toBe('k'.repeat(32));
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('is created even if an interrupted start left a readable file', async () => {
    const { dataDir } = await emptyPlace();
    const half = join(dataDir, 'secret.key.new');
    writeFileSync(half, 'half');
    chmodSync(half, 0o644);
    makeSecretKey({ secretKey: undefined, dataDir });
    const key = readSecretKey({ secretKey: undefined, dataDir });
    expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(key.toString());
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  });

  test.each(['', 'short\n'])('stops the start if its file is damaged: %j', async (left) => {
    const { dataDir } = await emptyPlace();
    writeFileSync(join(dataDir, 'secret.key'), left);
    expect(() => readSecretKey({ secretKey: undefined, dataDir })).toThrow(
      /^DATA_DIR: secret\.key is damaged/,
    );
  });
});
