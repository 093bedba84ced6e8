import { readFileSync } from 'node:fs';
import type { PublishedProxy } from '../authn/published-authentication.ts';
import { type KeyPair, makeAuthority, makeSignedClient } from '../x509/self-signed.ts';
import type { KeyOptions } from './options.ts';

/** This server as servers behind it see it. */
export interface FrontProxy {
  /** By which they know it. */
  readonly shown?: KeyPair;
  /** What they are told about it, where nobody said so in flags. */
  readonly published?: PublishedProxy;
}

const day = 86_400_000;
const lifetime = 10 * 365 * day;
const commonName = 'front-proxy-client';

/**
 * What the user named; else, where the server has a whole cluster beside it, an authority and a certificate for as long
 * as the process. @throws Error when a file cannot be read
 */
export function frontProxy(options: KeyOptions, now: number): FrontProxy {
  const { proxyClientCertFile: certificate, proxyClientKeyFile: key } = options;
  if (certificate && key)
    return { shown: { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') } };
  if (options.controllers.length === 0 || options.requestheaderClientCaFile) return {};
  const [from, until] = [new Date(now - day), new Date(now + lifetime)];
  const issuer = { name: 'touchstone-front-proxy', ...makeAuthority('touchstone-front-proxy', from, until) };
  return {
    shown: makeSignedClient(commonName, issuer, from, until),
    published: {
      authority: issuer.certificate,
      allowedNames: [commonName],
      usernameHeaders: ['X-Remote-User'],
      groupHeaders: ['X-Remote-Group'],
      extraHeadersPrefix: ['X-Remote-Extra-'],
    },
  };
}
