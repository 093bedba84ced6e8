import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { type KeyPair, makeAuthority, makeSigned } from '../x509/self-signed.ts';
import { lasts, readPair, writePair } from './kept-pair.ts';

/** A certificate for a server, followed by that of its authority: some clients take none that vouches for itself. */
export interface ServingPair extends KeyPair {
  readonly authority: KeyPair;
}

const day = 86_400_000;
const lifetime = 365 * day;

const made = new Map<string, ServingPair>();

/** A certificate for these names and addresses, with an authority of its own; one a process, because clients may keep it. */
export function generated(hosts: readonly string[]): ServingPair {
  const id = hosts.join(',');
  const known = made.get(id);
  if (known && stillGood(known, hosts)) return known;
  const [from, until] = [new Date(Date.now() - day), new Date(Date.now() + lifetime)];
  const authority = makeAuthority('touchstone', from, until);
  const { certificate, key } = makeSigned(hosts, authority, from, until);
  const pair = { certificate: certificate + authority.certificate, key, authority };
  made.set(id, pair);
  return pair;
}

const names = { server: 'apiserver', authority: 'apiserver-ca' };

/** The pair kept in a folder; made and kept there (keys readable by the owner alone) when it is missing or will not do. */
export function keptPair(folder: string, hosts: readonly string[]): ServingPair {
  const server = readPair(folder, names.server);
  const authority = readPair(folder, names.authority);
  if (server && authority && stillGood({ ...server, authority }, hosts)) return { ...server, authority };
  const pair = generated(hosts);
  writePair(folder, names.authority, pair.authority);
  writePair(folder, names.server, pair);
  return pair;
}

/** Whether the files belong together (another server may have written some of them), fit the hosts and last. */
function stillGood({ certificate: pem, key, authority }: ServingPair, hosts: readonly string[]): boolean {
  try {
    const [certificate, issuer] = [new X509Certificate(pem), new X509Certificate(authority.certificate)];
    const covers = hosts.every((host) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)));
    const last = [certificate, issuer].every((each) => lasts(each, Date.now()));
    const vouches = issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
    const isOurs = certificate.checkPrivateKey(createPrivateKey(key));
    return covers && last && vouches && isOurs && issuer.checkPrivateKey(createPrivateKey(authority.key));
  } catch {
    return false;
  }
}
