import { base64 } from '../../../fixtures/certificates.ts';
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { Pkcs10CertificateRequestGenerator, X509CertificateGenerator } from '@peculiar/x509';
import { beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../base/kube-object.ts';
import { readCertificateRequest } from '../../x509/certificate-request.ts';
import { sample, type Trial, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import { certificateSigningRequest as rules } from './certificate-signing-request.ts';

const subject = 'CN=jane, O=devs, O=ops';
const pem = (label: string, bytes: Uint8Array) =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString('base64')}\n-----END ${label}-----\n`;

type Algorithm = webcrypto.RsaHashedKeyGenParams | (webcrypto.EcKeyGenParams & { hash: string }) | { name: 'Ed25519' };

const rsa = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
const algorithms: Readonly<Record<string, Algorithm>> = {
  'RSA with SHA-256': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', ...rsa },
  'RSA-PSS with SHA-512': { name: 'RSA-PSS', hash: 'SHA-512', ...rsa },
  'ECDSA with P-384': { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  Ed25519: { name: 'Ed25519' },
};

let request: Buffer;
let requestPem: string;
let certificate: Buffer;
let certificatePem: string;

const makeKeys = async (algorithm: Algorithm) =>
  (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;

async function makeRequest(algorithm: Algorithm): Promise<Buffer> {
  const keys = await makeKeys(algorithm);
  const signingAlgorithm = { ...algorithm, ...('hash' in algorithm && { saltLength: 64 }) } as never;
  const made = await Pkcs10CertificateRequestGenerator.create({ name: subject, keys, signingAlgorithm });
  return Buffer.from(made.rawData);
}

beforeAll(async () => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  request = await makeRequest(algorithm);
  requestPem = pem('CERTIFICATE REQUEST', request);
  const keys = await makeKeys(algorithm);
  const made = await X509CertificateGenerator.createSelfSigned({ name: subject, keys, signingAlgorithm: algorithm });
  certificate = Buffer.from(made.rawData);
  certificatePem = pem('CERTIFICATE', certificate);
});

describe('a certificate request', () => {
  test.each(Object.entries(algorithms))('signed by %s is read', async (_, algorithm) => {
    const outcome = readCertificateRequest(Buffer.from(pem('CERTIFICATE REQUEST', await makeRequest(algorithm))));
    expect(outcome).toEqual({ request: { commonName: 'jane', organizations: ['devs', 'ops'] } });
  });

  test('with text around it or a second block is read', () => {
    for (const text of [
      `before\n${requestPem}after`,
      requestPem + pem('OTHER', request),
      requestPem.replaceAll('\n', '\r\n'),
    ])
      expect(readCertificateRequest(Buffer.from(text))).toHaveProperty('request');
  });

  const broken: readonly [string, () => string][] = [
    ['nothing', () => ''],
    ['no PEM', () => 'hello'],
    ['another label', () => pem('NEW CERTIFICATE REQUEST', request)],
    ['a label in lower case', () => pem('certificate request', request)],
    ['another block first', () => certificatePem + requestPem],
    ['no ASN.1', () => pem('CERTIFICATE REQUEST', Buffer.from('junk'))],
    ['an empty block', () => pem('CERTIFICATE REQUEST', Buffer.alloc(0))],
    ['more behind the end', () => pem('CERTIFICATE REQUEST', Buffer.concat([request, Buffer.from([0])]))],
    ['less than the end', () => pem('CERTIFICATE REQUEST', request.subarray(0, -1))],
    ['a certificate instead', () => pem('CERTIFICATE REQUEST', certificate)],
  ];
  test.each(broken)('that is %s is refused', (_, make) => {
    expect(readCertificateRequest(Buffer.from(make()))).toHaveProperty('problem');
  });

  test('that was changed anywhere is refused and never crashes', () => {
    for (let at = 0; at < request.length; at++) {
      const changed = Buffer.from(request);
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      expect(readCertificateRequest(Buffer.from(pem('CERTIFICATE REQUEST', changed)))).toHaveProperty('problem');
    }
  });
});

const fields = (spec: object = {}) => ({
  spec: { request: base64(requestPem), signerName: 'example.com/signer', usages: ['client auth'], ...spec },
});

describe('creating', () => {
  const table: readonly [string, () => object, readonly string[]][] = [
    ['with all that is needed', () => fields(), []],
    ['without a spec', () => ({}), ['spec.request Invalid', 'spec.usages Required', 'spec.signerName Required']],
    [
      'with odd usages',
      () => fields({ usages: ['nope', 'nope', 'any'] }),
      ['spec.usages[0] NotSupported', 'spec.usages[1] NotSupported', 'spec.usages[1] Duplicate'],
    ],
    ['for too short', () => fields({ expirationSeconds: 599 }), ['spec.expirationSeconds Invalid']],
    ['for 600 seconds', () => fields({ expirationSeconds: 600 }), []],
    ['for the old signer', () => fields({ signerName: 'kubernetes.io/legacy-unknown' }), ['spec.signerName Invalid']],
    ['without a path of the signer', () => fields({ signerName: 'example.com' }), ['spec.signerName Invalid']],
    ['with two', () => fields({ signerName: 'example.com/a/b' }), ['spec.signerName Invalid']],
    ['without a domain', () => fields({ signerName: '/a' }), ['spec.signerName Invalid', 'spec.signerName Invalid']],
    ['with dots in the path', () => fields({ signerName: 'example.com/a.b-c' }), []],
    [
      'with a path too long',
      () => fields({ signerName: `example.com/${'a'.repeat(600)}` }),
      ['spec.signerName Invalid', 'spec.signerName TooLong'],
    ],
  ];
  test.each(table)('%s', async (_, make, causes) => {
    expect((await tryCreate(rules, sample(rules, make()))).causes).toEqual(causes);
  });

  test('tells who asked, whatever the request says, and drops a status', async () => {
    const sent = sample(rules, {
      ...fields({ username: 'eve', uid: 'e', groups: ['x'], extra: { a: ['b'] } }),
      status: { certificate: 'eA==', conditions: [{ type: 'Approved', status: 'True' }] },
    });
    const user = { name: 'jane', uid: '', groups: ['devs'], extra: { scope: ['one'] } };
    const { object } = await tryCreate(rules, sent, { user });
    expect(object).toMatchObject({
      spec: { username: 'jane', groups: ['devs'], extra: { scope: ['one'] } },
      status: {},
    });
    expect(object['spec']).not.toHaveProperty('uid');
  });
});

const approved = { type: 'Approved', status: 'True', reason: 'R' };
const denied = { type: 'Denied', status: 'True' };
const failed = { type: 'Failed', status: 'True' };
const other = { type: 'Other', status: 'False' };
const stored = (...conditions: object[]): KubeObject => sample(rules, { ...fields(), status: { conditions } });
const through = (subresource: string, from: KubeObject, status: object): Promise<Trial> =>
  tryUpdate(rules, from, (next) => Object.assign(next, { status: structuredClone(status) }), { subresource });

describe('conditions', () => {
  const table: readonly [string, string, object[], object[], readonly string[]][] = [
    ['approving', 'approval', [], [approved], []],
    ['failing through approval', 'approval', [approved], [approved, failed], []],
    ['any other, and taking it back', 'approval', [other], [], []],
    ['taking approval back', 'approval', [approved], [], ['status.conditions Forbidden']],
    ['denying what is approved', 'approval', [approved], [denied], ['status.conditions Forbidden']],
    ['both at once', 'approval', [], [approved, denied], ['status.conditions[1].type Invalid']],
    ['twice the same', 'approval', [], [other, other], ['status.conditions[1].type Duplicate']],
    [
      'approval that is not true',
      'approval',
      [],
      [{ ...approved, status: 'False' }],
      ['status.conditions[0].status NotSupported'],
    ],
    ['an unknown status', 'status', [], [{ ...other, status: 'Maybe' }], ['status.conditions[0].status NotSupported']],
    [
      'no type and no status',
      'status',
      [],
      [{}],
      ['status.conditions[0].type Required', 'status.conditions[0].status Required'],
    ],
    ['approving through status', 'status', [], [approved], ['status.conditions Forbidden']],
    ['denying through status', 'status', [], [denied], ['status.conditions Forbidden']],
    ['failing', 'status', [], [failed], []],
    ['taking failure back', 'status', [failed], [], ['status.conditions Forbidden']],
  ];
  test.each(table)('%s', async (_, subresource, before, after, causes) => {
    expect((await through(subresource, stored(...before), { conditions: after })).causes).toEqual(causes);
  });

  test('get the times they do not bring, and keep that of their last transition', async () => {
    const time = '2020-01-01T00:00:00Z';
    const before = stored({ ...approved, lastUpdateTime: time, lastTransitionTime: time });
    const { object } = await through('approval', before, { conditions: [approved, other] });
    expect(object['status']).toEqual({
      conditions: [
        { ...approved, lastUpdateTime: '2024-01-01T00:00:00Z', lastTransitionTime: time },
        { ...other, lastUpdateTime: '2024-01-01T00:00:00Z', lastTransitionTime: '2024-01-01T00:00:00Z' },
      ],
    });
  });

  test('of approval stay as they are through status', async () => {
    const { object } = await through('status', stored(approved), { conditions: [{ ...approved, reason: 'Changed' }] });
    expect(object).toMatchObject({ status: { conditions: [{ reason: 'R' }] } });
  });
});

describe('an issued certificate', () => {
  const table: readonly [string, () => string, readonly string[]][] = [
    ['may be one block', () => certificatePem, []],
    ['may have text around and more blocks', () => `a\n${certificatePem}b\n${certificatePem.trimEnd()}`, []],
    ['may be two in one block', () => pem('CERTIFICATE', Buffer.concat([certificate, certificate])), []],
    ['may end in a block cut off', () => `${certificatePem}-----BEGIN CERTIFICATE-----\nTU`, []],
    ['may have CRLF', () => certificatePem.replaceAll('\n', '\r\n'), []],
    ['must be PEM', () => 'garbage', ['status.certificate Invalid']],
    ['must have the label', () => pem('certificate', certificate), ['status.certificate Invalid']],
    ['must have it everywhere', () => certificatePem + pem('X509 CRL', certificate), ['status.certificate Invalid']],
    ['must not have headers', () => certificatePem.replace('-\n', '-\nX-Y: z\n\n'), ['status.certificate Invalid']],
    ['must be ASN.1', () => pem('CERTIFICATE', Buffer.from('junk')), ['status.certificate Invalid']],
    ['must be something', () => pem('CERTIFICATE', Buffer.alloc(0)), ['status.certificate Invalid']],
    [
      'must be right in every block',
      () => certificatePem + pem('CERTIFICATE', certificate.subarray(0, 99)),
      ['status.certificate Invalid'],
    ],
  ];
  test.each(table)('%s', async (_, make, causes) => {
    expect((await through('status', stored(), { certificate: base64(make()) })).causes).toEqual(causes);
  });

  test('cannot be changed or removed, but given again', async () => {
    const before = sample(rules, { ...fields(), status: { certificate: base64(certificatePem) } });
    const change = ['status.certificate Forbidden'];
    expect((await through('status', before, { certificate: base64(certificatePem) })).causes).toEqual([]);
    expect((await through('status', before, { certificate: base64(`${certificatePem}\n`) })).causes).toEqual(change);
    expect((await through('status', before, {})).causes).toEqual(change);
  });

  test('cannot be set through approval', async () => {
    const { object } = await through('approval', stored(), {
      certificate: base64(certificatePem),
      conditions: [approved],
    });
    expect(object['status']).not.toHaveProperty('certificate');
  });
});

test('nothing of spec and status changes through the object itself', async () => {
  const before = stored(approved);
  const { object } = await tryUpdate(rules, before, (next) => {
    next.spec = { signerName: 'x/y' };
    next.status = {};
  });
  expect(object).toMatchObject({ spec: before['spec'], status: before['status'] });
});

test.each([
  [[], undefined, 'Pending'],
  [[failed], undefined, 'Pending,Failed'],
  [[approved], 'eA==', 'Approved,Issued'],
  [[denied, failed], undefined, 'Denied,Failed'],
])('the table tells the state', (conditions, issued, cell) => {
  const object = sample(rules, { spec: { expirationSeconds: 3600 }, status: { conditions, certificate: issued } });
  expect(rules.table?.cells(object, 0)).toEqual(['x', '<unknown>', '<none>', '', '60m', cell]);
});
