import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import pem from 'pem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomIds } from '../base/ids.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { StatusError } from '../base/status-error.ts';
import { encodeJson } from '../schema/encode.ts';
import { decodeJson } from '../schema/json.ts';
import { type ConversionServices, converterOf } from './conversion.ts';
import { type ConversionReview, conversionReview, convertedObjects } from './conversion-review.ts';
import type { Definition, DefinitionConversion } from './definition-shape.ts';

const duck = (name: string, more: object = {}): KubeObject => ({
  kind: 'Duck',
  apiVersion: 'shop.example.com/v1',
  metadata: { name, namespace: 'pond', uid: `uid-${name}`, labels: { a: 'b' }, finalizers: ['example.com/x'] },
  ...more,
});
const desired = 'shop.example.com/v2';

describe('the answer of a conversion webhook', () => {
  const ducks = [duck('one'), duck('two')];
  const review = conversionReview(['v1'], 'the-uid', desired, ducks);
  const good = (change: (response: Record<string, unknown>) => void = () => {}) => {
    const response: Record<string, unknown> = {
      uid: 'the-uid',
      result: { status: 'Success' },
      convertedObjects: [duck('one', { apiVersion: desired, spec: { x: 1 } }), duck('two', { apiVersion: desired })],
    };
    change(response);
    return { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', response };
  };
  const first = (change: object) =>
    good((response) => {
      response['convertedObjects'] = [
        duck('one', { apiVersion: desired, ...change }),
        duck('two', { apiVersion: desired }),
      ];
    });

  it('is asked in the first version that both know', () => {
    const other = conversionReview(['v7', 'v1beta1', 'v1'], 'the-uid', desired, ducks);
    expect(other.apiVersion).toBe('apiextensions.k8s.io/v1beta1');
  });

  it('need not say to which question it is an answer where the question was one of v1beta1', () => {
    const { response } = good((r) => {
      r['uid'] = 'other';
    });
    const beta = conversionReview(['v1beta1'], 'the-uid', desired, ducks);
    expect(convertedObjects(beta, { response })).toHaveLength(2);
    expect(() => convertedObjects(beta, { response: { ...response, result: {} } })).toThrow('status');
  });

  it('gives the objects, with labels and annotations as they were answered and all other metadata as it was', () => {
    const metadata = {
      ...duck('one').metadata,
      labels: { new: 'x' },
      annotations: { n: 'y' },
      finalizers: [],
      generation: 7,
    };
    const [one] = convertedObjects(review, first({ metadata, spec: { y: 2 } }));
    expect(one).toMatchObject({ apiVersion: desired, spec: { y: 2 } });
    expect(one?.metadata).toEqual({
      name: 'one',
      namespace: 'pond',
      uid: 'uid-one',
      labels: { new: 'x' },
      annotations: { n: 'y' },
      finalizers: ['example.com/x'],
    });
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'no object'],
    ['another kind', { ...good(), kind: 'Status' }, 'no ConversionReview'],
    ['another version', { ...good(), apiVersion: 'apiextensions.k8s.io/v1beta1' }, 'no ConversionReview'],
    ['no response', { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1' }, 'no response'],
    [
      'another uid',
      good((r) => {
        r['uid'] = 'other';
      }),
      'response.uid',
    ],
    [
      'a failure',
      good((r) => {
        r['result'] = { status: 'Failure', message: 'cannot do that' };
      }),
      'cannot do that',
    ],
    [
      'no result',
      good((r) => {
        delete r['result'];
      }),
      'status',
    ],
    [
      'too few objects',
      good((r) => {
        r['convertedObjects'] = [];
      }),
      'expected 2 converted objects, got 0',
    ],
    [
      'objects that are none',
      good((r) => {
        r['convertedObjects'] = [1, 2];
      }),
      'not an object',
    ],
    ['the old version', first({ apiVersion: 'shop.example.com/v1' }), 'apiVersion'],
    ['another object kind', first({ kind: 'Goose' }), 'kind'],
    ['another name', first({ metadata: { ...duck('one').metadata, name: 'x' } }), 'name must not change'],
    ['another uid of the object', first({ metadata: { ...duck('one').metadata, uid: 'x' } }), 'uid must not change'],
    ['no metadata', first({ metadata: undefined }), 'missing metadata'],
    [
      'labels of a wrong type',
      first({ metadata: { ...duck('one').metadata, labels: { a: 1 } } }),
      'labels must be a map of texts',
    ],
    ['a bad label', first({ metadata: { ...duck('one').metadata, labels: { 'a b': 'x' } } }), 'metadata.labels'],
    [
      'annotations larger than those of any object',
      first({ metadata: { ...duck('one').metadata, annotations: { a: 'x'.repeat(1 << 18) } } }),
      'metadata.annotations',
    ],
  ])('is refused when it has %s', (_, answer, message) => {
    expect(() => convertedObjects(review, answer)).toThrow(message);
  });
});

describe('conversion by webhook', () => {
  let server: Server;
  let certificate: string;
  let asked: ConversionReview[] = [];
  let answer: (review: ConversionReview) => unknown;
  const port = () => (server.address() as AddressInfo).port;

  beforeAll(async () => {
    const names = { commonName: 'localhost', altNames: ['localhost', 'hook.pond.svc'] };
    const keys = await pem.promisified.createCertificate({ days: 1, selfSigned: true, ...names });
    certificate = keys.certificate;
    server = createServer({ cert: keys.certificate, key: keys.serviceKey }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const review = decodeJson(Buffer.concat(chunks)).value as unknown as ConversionReview;
        asked.push(review);
        const body = answer(review);
        if (body !== undefined) response.setHeader('content-type', 'application/json').end(encodeJson(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  afterEach(() => {
    asked = [];
  });

  const converted = ({ kind, apiVersion, request: { uid, objects, desiredAPIVersion } }: ConversionReview) => ({
    kind,
    apiVersion,
    response: {
      uid,
      result: { status: 'Success' },
      convertedObjects: objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion, was: object.apiVersion })),
    },
  });
  const converter = (
    clientConfig: NonNullable<DefinitionConversion['webhook']>['clientConfig'],
    services: Partial<ConversionServices> = {},
  ) => {
    const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
    const addressOf = async () => ({ host: '127.0.0.1', port: port() });
    return converterOf({ spec: { conversion } } as unknown as Definition, { ids: randomIds, addressOf, ...services });
  };
  const ca = () => Buffer.from(certificate).toString('base64');
  const url = () => `https://localhost:${port()}/convert`;

  it('asks once for all objects that are wanted at once', async () => {
    answer = converted;
    const convert = converter({ url: url(), caBundle: ca() });
    const objects = await Promise.all([duck('one'), duck('two'), duck('three')].map((each) => convert(each, desired)));
    expect(objects.map(({ apiVersion, was }) => [apiVersion, was])).toEqual(
      Array(3).fill([desired, 'shop.example.com/v1']),
    );
    expect(asked).toHaveLength(1);
  });

  it('keeps the connection for the next question', async () => {
    answer = converted;
    let connections = 0;
    server.on('secureConnection', () => connections++);
    const convert = converter({ url: url(), caBundle: ca() });
    for (const name of ['one', 'two', 'three']) await convert(duck(name), desired);
    expect(connections).toBe(1);
  });

  it('tells and hears integers with all their digits', async () => {
    answer = converted;
    const convert = converter({ url: url(), caBundle: ca() });
    const spec = { large: 2n ** 53n + 1n, least: -(2n ** 63n), small: 1, text: '1234567890123456' };
    expect(await convert(duck('one', { spec }), desired)).toMatchObject({ spec });
    expect(asked[0]?.request.objects[0]).toMatchObject({ spec });
  });

  it('reaches a service at its address and expects its name in the certificate', async () => {
    answer = converted;
    const good = converter({ service: { namespace: 'pond', name: 'hook', path: '/convert' }, caBundle: ca() });
    expect((await good(duck('one'), desired)).apiVersion).toBe(desired);
    const wrong = converter({ service: { namespace: 'other', name: 'hook' }, caBundle: ca() });
    await expect(wrong(duck('one'), desired)).rejects.toThrow(
      'conversion webhook for shop.example.com/v1, Kind=Duck failed',
    );
  });

  it.each<[string, () => ReturnType<typeof converter>, string]>([
    ['does not trust it', () => converter({ url: url() }), 'failed: x509: certificate signed by unknown authority'],
    [
      'finds nobody there',
      () => converter({ url: 'https://127.0.0.1:9/convert' }),
      'failed: dial tcp 127.0.0.1:9: connect: connection refused',
    ],
    [
      'does not find the service',
      () =>
        converter(
          { service: { namespace: 'a', name: 'b' } },
          { addressOf: () => Promise.reject(new Error('not found')) },
        ),
      'failed: not found',
    ],
    [
      'waits too long',
      () => {
        answer = () => undefined;
        return converter({ url: url(), caBundle: ca() }, { timeoutMs: 50 });
      },
      'failed: context deadline exceeded',
    ],
    [
      'gets nonsense',
      () => {
        answer = () => 'no';
        return converter({ url: url(), caBundle: ca() });
      },
      'failed: the answer is no object',
    ],
  ])('answers 500 when it %s', async (_, make, why) => {
    answer = converted;
    const error = await Promise.resolve(make()(duck('one'), desired)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StatusError);
    expect((error as StatusError).status).toMatchObject({
      code: 500,
      message: `conversion webhook for shop.example.com/v1, Kind=Duck ${why}`,
    });
  });
});
