import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** What a server is known by, over restarts and to those that share its store. Secret. */
export interface Identity {
  /** Bearer token of the administrator in the kubeconfig. */
  readonly adminToken: string;
  /** PEM of the private key that signs tokens of service accounts, where none was given. */
  readonly serviceAccountKey: string;
  /** Hexadecimal; with it continue tokens are signed. */
  readonly continueKey: string;
}

/** Where something is kept that is a server's own, or that of all that share a store. */
export interface KeptPlace {
  /** As people would look for it. */
  readonly where: string;
  /** Undefined: nothing is kept there yet. */
  read(): Promise<string | undefined>;
  /** Keeps the text, unless somebody else was faster. */
  create(text: string): Promise<void>;
}

export function makeIdentity(): Identity {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    adminToken: randomBytes(16).toString('hex'),
    serviceAccountKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    continueKey: randomBytes(32).toString('hex'),
  };
}

/** The identity that is kept there, and a new one where none is. @throws Error when what is kept is none */
export const keptIdentity = async (place: KeptPlace): Promise<Identity> =>
  identityIn(await keptText(place, () => JSON.stringify(makeIdentity())), place);

/** What is kept there; where nothing is, what is made for it, by us or by somebody who was faster. */
export async function keptText(place: KeptPlace, make: () => string): Promise<string | undefined> {
  const kept = await place.read();
  if (kept !== undefined) return kept;
  await place.create(make());
  return place.read();
}

function identityIn(text = '', { where }: KeptPlace): Identity {
  try {
    const { adminToken, serviceAccountKey, continueKey } = JSON.parse(text) as Partial<Identity>;
    if (adminToken && serviceAccountKey && continueKey) return { adminToken, serviceAccountKey, continueKey };
  } catch {}
  throw new Error(`${where} is no identity of a server: put it back, or remove it for a new one, with other tokens`);
}
