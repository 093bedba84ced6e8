import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { withDefaults } from '../options/options.ts';
import { makeAuthority } from '../x509/self-signed.ts';
import { signingAuthority } from './signing-authority.ts';

const folder = temporaryFolder();
const now = Date.UTC(2024, 0, 1);
const controllers = ['*'];
const authorityFor = (options: Parameters<typeof withDefaults>[0]) => signingAuthority(withDefaults(options), now);

describe('the authority of the controllers beside the server', () => {
  it('signs certificates and nothing else', () => {
    const certificate = new X509Certificate(authorityFor({ controllers })?.certificate ?? '');
    expect(certificate.ca).toBe(true);
    expect(certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.subject).toBe('CN=touchstone-signer');
  });

  it('is kept, its key readable by its owner alone', () => {
    const certDir = join(folder, 'kept');
    const pair = authorityFor({ controllers, certDir });
    expect(authorityFor({ controllers, certDir })).toEqual(pair);
    expect(statSync(join(certDir, 'signing-ca.key')).mode & 0o777).toBe(0o600);
  });

  it('is made again when its files do not belong together, it has run out, or it has not begun', () => {
    const certDir = join(folder, 'made');
    const first = authorityFor({ controllers, certDir });
    writeFileSync(
      join(certDir, 'signing-ca.crt'),
      makeAuthority('other', new Date(now), new Date(2030, 0)).certificate,
    );
    const second = authorityFor({ controllers, certDir });
    expect(second?.key).not.toBe(first?.key);
    expect(readFileSync(join(certDir, 'signing-ca.crt'), 'utf8')).toBe(second?.certificate);
    const late = signingAuthority(withDefaults({ controllers, certDir }), Date.UTC(2040, 0, 1));
    expect(late?.key).not.toBe(second?.key);
    expect(authorityFor({ controllers, certDir })?.key).not.toBe(late?.key);
  });

  it.each([
    ['no controllers run', {}],
    ['others run', { controllers: ['job'] }],
    ['all but the signer run', { controllers: ['*', '-csrsigning'] }],
    ['there is another', { controllers, clusterSigningCertFile: 'ca.crt', clusterSigningKeyFile: 'ca.key' }],
  ])('is not there where %s', (_, options) => expect(authorityFor(options)).toBeUndefined());

  it('is not there where other clients are trusted, which is said aloud', () => {
    const said: string[] = [];
    const log = { info: (line: string) => said.push(line), error() {}, debug() {} };
    expect(authorityFor({ controllers, clientCaFile: 'ca.crt', log })).toBeUndefined();
    expect(said).toEqual([expect.stringContaining('csrsigning signs nothing')]);
  });
});
