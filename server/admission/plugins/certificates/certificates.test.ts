import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { beforeEach, describe, expect, it } from 'vitest';
import { admitted, attributesFor, caresAbout, type PluginWorld, pluginWorld, type Sketch } from '../plugins.fixture.ts';
import { certificateApproval } from './certificate-approval.ts';
import { certificateSigning } from './certificate-signing.ts';
import { certificateSubjectRestriction } from './certificate-subject-restriction.ts';

let world: PluginWorld;
beforeEach(async () => {
  world = await pluginWorld();
});

const resource = 'certificatesigningrequests.certificates.k8s.io';
const request = (status: object = {}, signerName = 'example.com/one'): Sketch => ({
  metadata: { name: 'r' },
  spec: { signerName },
  status,
});
const throughSubresource = (subresource: string, next: Sketch, previous: Sketch = request()) =>
  attributesFor(resource, next, { subresource, oldObject: previous as never, operation: 'UPDATE', namespace: '' });

describe('CertificateApproval', () => {
  const approve = async () =>
    (await admitted(certificateApproval(world), throughSubresource('approval', request()))).refusal;

  it('needs the verb approve on the signer for whatever is written', async () => {
    expect(await approve()).toMatchObject({
      code: 403,
      message:
        'certificatesigningrequests.certificates.k8s.io "r" is forbidden: user not permitted to approve requests with signerName "example.com/one"',
    });
    expect(world.asked).toMatchObject([
      { verb: 'approve', group: 'certificates.k8s.io', resource: 'signers', name: 'example.com/one', namespace: '' },
      { verb: 'approve', group: 'certificates.k8s.io', resource: 'signers', name: 'example.com/*', namespace: '' },
    ]);
  });

  it.each(['approve signers example.com/one', 'approve signers example.com/*'])(
    'is let through by %s',
    async (what) => {
      world.allowed.add(what);
      expect(await approve()).toBeUndefined();
    },
  );

  it.each(['sign signers example.com/one', 'approve signers example.com/two'])(
    'is not let through by %s',
    async (what) => {
      world.allowed.add(what);
      expect((await approve())?.code).toBe(403);
    },
  );

  it('judges by the signer that is stored, and only that subresource', async () => {
    world.allowed.add('approve signers mine.com/x');
    const attributes = throughSubresource('approval', request({}, 'mine.com/x'));
    expect((await admitted(certificateApproval(world), attributes)).refusal?.code).toBe(403);
    expect(caresAbout(certificateApproval(world), throughSubresource('status', request()))).toBe(false);
    expect(caresAbout(certificateApproval(world), throughSubresource('', request()))).toBe(false);
  });
});

describe('CertificateSigning', () => {
  const failed = { conditions: [{ type: 'Failed', status: 'True' }] };
  const sign = async (next: object, previous: object = {}) =>
    (await admitted(certificateSigning(world), throughSubresource('status', request(next), request(previous)))).refusal
      ?.code;

  it.each<[string, object, object, number | undefined]>([
    ['a certificate', { certificate: 'eA==' }, {}, 403],
    ['another certificate', { certificate: 'eA==' }, { certificate: 'eQ==' }, 403],
    ['a failure', failed, {}, 403],
    [
      'the same certificate and failure',
      { certificate: 'eA==', ...failed },
      { certificate: 'eA==', ...failed },
      undefined,
    ],
    ['an empty certificate', { certificate: '' }, {}, undefined],
    ['another condition', { conditions: [{ type: 'Seen', status: 'True' }] }, {}, undefined],
  ])('with %s', async (_, next, previous, expected) => {
    expect(await sign(next, previous)).toBe(expected);
    world.allowed.add('sign signers example.com/*');
    expect(await sign(next, previous)).toBeUndefined();
  });
});

describe('CertificateSubjectRestriction', () => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  async function ask(subject: string, signerName: string) {
    const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
    const csr = await Pkcs10CertificateRequestGenerator.create({ name: subject, keys, signingAlgorithm: algorithm });
    const spec = { signerName, request: Buffer.from(csr.toString('pem')).toString('base64') };
    return (await admitted(certificateSubjectRestriction, attributesFor(resource, { metadata: { name: 'r' }, spec })))
      .refusal;
  }
  const client = 'kubernetes.io/kube-apiserver-client';

  it('keeps system:masters out of certificates for clients of this server', async () => {
    expect(await ask('CN=x, O=system:masters', client)).toMatchObject({
      code: 403,
      message:
        'certificatesigningrequests.certificates.k8s.io "r" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
    });
    expect((await ask('CN=x, O=other, O=system:masters', client))?.code).toBe(403);
    expect(await ask('CN=x, O=system:masters', 'example.com/other')).toBeUndefined();
    expect(await ask('CN=system:masters', client)).toBeUndefined();
  });

  it('refuses what it cannot read', async () => {
    const spec = { signerName: client, request: 'bm90IGEgY3Ny' };
    const { refusal } = await admitted(
      certificateSubjectRestriction,
      attributesFor(resource, { metadata: { name: 'r' }, spec }),
    );
    expect(refusal?.message).toContain('could not parse CSR');
  });
});
