import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { errorMessage } from '#shared/errors.ts';
import { ConfigError } from '../config.ts';

/** The extension of an encrypted file. */
export const ENCRYPTED = '.age';

/**
 * Encrypts a file so that only the recipient (age1...) can read it: https://age-encryption.org/v1. Throws
 * `ConfigError` for an invalid recipient.
 */
export async function encryptFile(from: string, to: string, recipient: string): Promise<void> {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new ConfigError('--recipient: must be a public key of age, such as age1ql3z7hjy54...');
  }
  await pass(from, to, (content) => encrypter.encrypt(content));
}

/** Decrypts a file with an identity (AGE-SECRET-KEY-1...). Throws `ConfigError` for the wrong one. */
export async function decryptFile(from: string, to: string, identity: string): Promise<void> {
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
    await pass(from, to, (content) => decrypter.decrypt(content));
  } catch (error) {
    const reason = errorMessage(error);
    throw new ConfigError(`--identity: the backup cannot be decrypted with this key (${reason})`);
  }
}

async function pass(
  from: string,
  to: string,
  change: (content: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>,
): Promise<void> {
  const content = Readable.toWeb(createReadStream(from)) as unknown as ReadableStream<Uint8Array>;
  const changed = (await change(content)) as unknown as NodeStream<Uint8Array>;
  await pipeline(Readable.fromWeb(changed), createWriteStream(to, { mode: 0o600 }));
}
