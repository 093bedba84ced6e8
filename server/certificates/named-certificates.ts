import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dnsSubdomain } from '../base/names.ts';
import type { NamedPairs, Pair } from '../request/http/shown-certificates.ts';
import { readDetails } from '../x509/certificate-details.ts';

interface NamedFiles {
  readonly certificate: string;
  readonly key: string;
  /** Missing: those of the certificate. */
  readonly names?: readonly string[];
}

const wrong = (value: string, why: string) => new Error(`--tls-sni-cert-key: ${JSON.stringify(value)} ${why}`);

/** @throws Error for what is not `certificate,key` or `certificate,key:name,name` */
function filesOf(value: string): NamedFiles {
  const colon = value.indexOf(':');
  const trimmed = (list: string) => list.split(',').map((each) => each.trim());
  const [certificate, key, ...others] = trimmed(colon < 0 ? value : value.slice(0, colon));
  if (!certificate || !key || others.length > 0) throw wrong(value, 'is not certificate,key or certificate,key:names');
  if (colon < 0) return { certificate, key };
  const names = trimmed(value.slice(colon + 1));
  if (names.includes('')) throw wrong(value, 'has an empty name');
  const address = names.find((name) => isIP(name) !== 0);
  if (address) throw wrong(value, `names ${address}, but clients ask by names alone, never by addresses`);
  return { certificate, key, names };
}

/** The files that the values of the flag name. @throws Error as `readNamedPairs` */
export const namedFiles = (values: readonly string[]): readonly string[] =>
  values.map(filesOf).flatMap(({ certificate, key }) => [certificate, key]);

/**
 * What the values of the flag name. A name that was given counts before one that a certificate has, and what stands
 * earlier before what stands later.
 * @throws Error when a value makes no sense or a file cannot be read
 */
export function readNamedPairs(values: readonly string[]): NamedPairs {
  const found = new Map<string, Pair>();
  const all = values.map(filesOf);
  for (const files of [...all.filter(({ names }) => names), ...all.filter(({ names }) => !names)]) {
    const certificate = readFileSync(files.certificate, 'utf8');
    const pair = { certificate, key: readFileSync(files.key, 'utf8') };
    for (const name of files.names ?? namesIn(new X509Certificate(certificate))) {
      const asked = name.toLowerCase();
      if (!found.has(asked)) found.set(asked, pair);
    }
  }
  return found;
}

/** The common name where it is that of a domain, and the alternative names of that sort. */
function namesIn(certificate: X509Certificate): readonly string[] {
  const common = readDetails(certificate).commonName;
  const alternative = certificate.subjectAltName?.match(/(?<=DNS:)[^,"]+/g) ?? [];
  const isDomain = common === '*' || dnsSubdomain(common.replace(/^\*\./, '')).length === 0;
  return [...(isDomain && isIP(common) === 0 ? [common] : []), ...alternative];
}
