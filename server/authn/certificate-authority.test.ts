import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { worked } from '../../fixtures/worked.fixture.ts';
import { authority, type Issued, issue, usage, year2030 } from '../x509/certificates.fixture.ts';
import { CertificateAuthority, followAuthorityFile, readBundle } from './certificate-authority.ts';
import { clientCertificate } from './client-certificate.ts';
import { credentials } from './credentials.fixture.ts';

const day = 86_400_000;
const clock = { now: () => year2030 };
let ca: Issued;
let other: Issued;
beforeAll(async () => {
  ca = await authority('ca');
  other = await authority('other');
});

const trusting = (...roots: Issued[]) =>
  new CertificateAuthority(
    roots.map(({ certificate }) => certificate),
    clock,
  );
const verify = (roots: Issued[], ...chain: Issued[]) =>
  trusting(...roots).verify(chain.map(({ certificate }) => certificate));

describe('who a certificate names', () => {
  const userOf = async (name: Parameters<typeof issue>[0]['name']) => {
    const leaf = await issue({ name }, ca);
    return clientCertificate(trusting(ca)).authenticate(credentials([], [leaf.certificate]));
  };

  it('takes the common name as user and each organization as group, in order, also twice', async () => {
    expect(await userOf('O=ops, CN=alice, OU=unit, O=devs, O=ops')).toEqual({
      name: 'alice',
      uid: '',
      groups: ['ops', 'devs', 'ops', 'system:authenticated'],
      extra: {},
    });
    expect(await userOf('CN=alone')).toMatchObject({ groups: ['system:authenticated'] });
  });

  it('reads names of all kinds of text as they are, with what looks like syntax inside', async () => {
    const odd = 'a\nO=system:masters, CN=root';
    expect(await userOf([{ CN: [odd] }, { O: ['grüne ✓'] }])).toMatchObject({
      name: odd,
      groups: ['grüne ✓', 'system:authenticated'],
    });
    expect(await userOf([{ CN: [{ printableString: 'plain' }] }])).toMatchObject({ name: 'plain' });
    expect(await userOf([{ CN: [{ bmpString: 'wide ✓' }] }])).toMatchObject({ name: 'wide ✓' });
  });

  it('refuses a certificate without a common name', async () => {
    await expect(userOf('O=devs')).rejects.toThrow('no common name');
  });

  it('does not add a group to a certificate of the anonymous user', async () => {
    expect(await userOf('CN=system:anonymous')).toMatchObject({ name: 'system:anonymous', groups: [] });
  });

  it('is nobody without a certificate', () => {
    expect(clientCertificate(trusting(ca)).authenticate(credentials())).toBeUndefined();
  });
});

describe('which certificates count', () => {
  it.each([
    ['meant for clients', {}],
    ['meant for clients and servers', { usages: [usage.serverAuth, usage.clientAuth] }],
    ['meant for anything', { usages: [usage.any] }],
    ['without any usage', { usages: [] }],
    ['that end this very moment', { until: year2030 }],
  ])('accepts one %s', async (_, wish) => {
    expect(verify([other, ca], await issue({ name: 'CN=a', ...wish }, ca)).commonName).toBe('a');
  });

  it.each([
    ['expired', { until: year2030 - 1000 }, 'expired'],
    ['not valid yet', { from: year2030 + 1000 }, 'not valid yet'],
    ['meant for servers', { usages: [usage.serverAuth] }, 'client authentication'],
    ['meant for code', { usages: [usage.codeSigning] }, 'client authentication'],
    ['signed with SHA-1', { hash: 'SHA-1' as const }, 'not signed by a known'],
    ['with a critical extension nobody knows', { unknownCritical: true }, 'not signed by a known'],
  ])('refuses one that is %s', async (_, wish, reason) => {
    const leaf = await issue({ name: 'CN=a', ...wish }, ca);
    expect(() => verify([ca], leaf)).toThrow(reason);
  });

  it('takes one of an authority that says by which policies it is issued, and that this is critical', async () => {
    const between = await authority('between', { criticalPolicies: ['1.2.3'] }, ca);
    const leaf = await issue({ name: 'CN=a', criticalPolicies: ['1.2.3', '1.2.4'] }, between);
    expect(verify([ca], leaf, between).commonName).toBe('a');
  });

  it('refuses one of another authority, also of the same name', async () => {
    const twin = await authority('ca');
    const leaf = await issue({ name: 'CN=a' }, twin);
    expect(() => verify([ca], leaf)).toThrow('not signed by a known');
    expect(() => verify([ca], leaf, twin)).toThrow('not signed by a known');
    expect(() => verify([ca], other)).toThrow();
  });

  it('refuses one that another client signed', async () => {
    const client = await issue({ name: 'CN=client' }, ca);
    const forged = await issue({ name: 'CN=admin' }, client);
    expect(() => verify([ca], forged, client)).toThrow('not signed by a known');
  });

  it('accepts a certificate that is itself trusted', async () => {
    const own = await issue({ name: 'CN=own' });
    expect(verify([own], own).commonName).toBe('own');
    expect(() => verify([ca], own)).toThrow();
  });
});

describe('intermediate authorities', () => {
  it('lead from the certificate to a trusted one, in whatever order they come', async () => {
    const first = await authority('first', {}, ca);
    const second = await authority('second', {}, first);
    const leaf = await issue({ name: 'CN=a' }, second);
    expect(verify([ca], leaf, first, second).commonName).toBe('a');
    expect(verify([second], leaf).commonName).toBe('a');
    expect(() => verify([ca], leaf, second)).toThrow();
  });

  it('keep their limits: length, time and usage', async () => {
    const short = await authority('short', { pathLength: 0 }, ca);
    const below = await authority('below', {}, short);
    const issuedBy = await issue({ name: 'CN=a' }, below);
    expect(() => verify([ca], issuedBy, below, short)).toThrow('not signed by a known');
    const late = await authority('late', { until: year2030 - day }, ca);
    const leafOfLate = await issue({ name: 'CN=a' }, late);
    expect(() => verify([ca], leafOfLate, late)).toThrow('expired');
    const servers = await authority('servers', { usages: [usage.serverAuth] }, ca);
    const leafOfServers = await issue({ name: 'CN=a' }, servers);
    expect(() => verify([ca], leafOfServers, servers)).toThrow('client authentication');
  });

  it('are looked through within bounds, however many are shown', async () => {
    const twins = await Promise.all(Array.from({ length: 30 }, () => authority('twin')));
    const leaf = await issue({ name: 'CN=a' }, twins[0]);
    const started = worked();
    expect(() => verify([ca], leaf, ...twins.slice(1), ...twins)).toThrow();
    expect(worked() - started).toBeLessThan(2000);
  });
});

describe('a renewed authority', () => {
  it('counts beside its expired self, with the same key', async () => {
    const old = await authority('same', { until: year2030 - day });
    const renewed = await issueAgain(old);
    const leaf = await issue({ name: 'CN=a' }, old);
    expect(() => verify([old], leaf)).toThrow('expired');
    expect(verify([old, renewed], leaf).commonName).toBe('a');
  });

  async function issueAgain(old: Issued): Promise<Issued> {
    const x509 = await import('@peculiar/x509');
    const { X509Certificate } = await import('node:crypto');
    const made = await x509.X509CertificateGenerator.createSelfSigned({
      name: old.name,
      keys: old.keys,
      notBefore: new Date(year2030 - day),
      notAfter: new Date(year2030 + day),
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
    });
    return { ...old, certificate: new X509Certificate(made.toString('pem')) };
  }
});

it('judges again as time goes by', async () => {
  const leaf = await issue({ name: 'CN=a', until: year2030 + day }, ca);
  let now = year2030;
  const judge = new CertificateAuthority([ca.certificate], { now: () => now });
  expect(judge.verify([leaf.certificate]).commonName).toBe('a');
  now += 2 * day;
  expect(() => judge.verify([leaf.certificate])).toThrow('expired');
});

describe('the file of authorities', () => {
  it('holds several, with text around them', () => {
    expect(readBundle(`about\n${ca.certificate}\n# next\n${other.certificate}`)).toHaveLength(2);
    expect(() => readBundle('nothing')).toThrow('no certificate');
    expect(() => readBundle('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')).toThrow();
  });

  it('is read again when it changes; a malformed one is passed over', async () => {
    const file = join(temporaryFolder(onTestFinished), 'ca.crt');
    writeFileSync(file, String(ca.certificate));
    const followed = followAuthorityFile(file, clock);
    const reloaded = vi.fn();
    followed.onReload(reloaded);
    const leaf = await issue({ name: 'CN=a' }, other);
    expect(() => followed.authority.verify([leaf.certificate])).toThrow();
    writeFileSync(file, 'half a fil');
    writeFileSync(file, `${other.certificate}`);
    await vi.waitFor(() => expect(reloaded).toHaveBeenCalled(), 5000);
    expect(followed.authority.verify([leaf.certificate]).commonName).toBe('a');
    followed.stop();
  });
});
