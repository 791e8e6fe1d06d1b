import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** The errors that a device, or its browser, makes in a test. */
export type Twist = Readonly<{
  origin?: string;
  rpId?: string;
  isVerified?: boolean;
  challenge?: string;
  counter?: number;
  type?: string;
  userHandle?: string | undefined;
  /** Signs with this key instead of the passkey's. */
  key?: KeyObject;
}>;

type Challenge = Readonly<Record<string, unknown>>;
type Made = { id: string; key: KeyObject; rpId: string; userHandle: string; counter: number };

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** A software authenticator that creates passkeys and real signatures (ES256), in the format of WebAuthn. */
export function aDevice(origin: string, { counts = true } = {}) {
  const made: Made[] = [];
  return {
    made,
    /** Creates a passkey, like `navigator.credentials.create`. */
    create(request: Challenge, twist: Twist = {}) {
      const { rp, user, challenge } = request as {
        rp: { id: string };
        user: { id: string };
        challenge: string;
      };
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const id = randomBytes(32);
      const one = {
        id: id.toString('base64url'),
        key: privateKey,
        rpId: rp.id,
        userHandle: user.id,
        counter: 0,
      };
      made.push(one);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseOf(publicKey)]);
      const authData = dataOf(twist.rpId ?? rp.id, {
        flags: HAS_CREDENTIAL | verified(twist),
        counter: twist.counter ?? 0,
        credential,
      });
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]);
      return {
        id: one.id,
        rawId: one.id,
        type: 'public-key' as const,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, origin, twist),
          attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    /** Signs a challenge, like `navigator.credentials.get`, by default with the latest passkey. */
    get(request: Challenge, twist: Twist = {}, one: Made | undefined = made.at(-1)) {
      if (one === undefined) throw new Error('the device has no passkey');
      if (counts) one.counter += 1;
      const authData = dataOf(twist.rpId ?? one.rpId, {
        flags: verified(twist),
        counter: twist.counter ?? one.counter,
      });
      const json = clientData('webauthn.get', String(request['challenge']), origin, twist);
      const hash = createHash('sha256').update(Buffer.from(json, 'base64url')).digest();
      const signature = createSign('sha256')
        .update(Buffer.concat([authData, hash]))
        .sign(twist.key ?? one.key);
      const userHandle = 'userHandle' in twist ? twist.userHandle : one.userHandle;
      return {
        id: one.id,
        rawId: one.id,
        type: 'public-key' as const,
        response: {
          clientDataJSON: json,
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
          ...(userHandle === undefined ? {} : { userHandle }),
        },
      };
    },
  };
}

function verified({ isVerified = true }: Twist): number {
  return USER_PRESENT | (isVerified ? USER_VERIFIED : 0);
}

function dataOf(
  rpId: string,
  { flags, counter, credential }: { flags: number; counter: number; credential?: Buffer },
): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const hash = createHash('sha256').update(rpId).digest();
  return Buffer.concat([hash, Buffer.from([flags]), count, credential ?? Buffer.alloc(0)]);
}

function clientData(type: string, challenge: string, origin: string, twist: Twist): string {
  const data = {
    type: twist.type ?? type,
    challenge: twist.challenge ?? challenge,
    origin: twist.origin ?? origin,
    crossOrigin: false,
  };
  return Buffer.from(JSON.stringify(data)).toString('base64url');
}

// The public key in COSE format: an elliptic curve (2), ES256 (-7), P-256 (1) and the point.
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const cose = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ]);
  return Buffer.from(isoCBOR.encode(cose as never));
}
