import { describe, expect, it } from 'vitest';
import type { Definition } from '../definition-shape.ts';
import { problems } from './definition.fixture.ts';

describe('conversion', () => {
  const of = (conversion: Definition['spec']['conversion']) =>
    problems((o) => {
      if (conversion) o.spec.conversion = conversion;
      else delete o.spec.conversion;
    });
  const webhook = (clientConfig: object, conversionReviewVersions = ['v1']) => ({
    strategy: 'Webhook',
    webhook: { clientConfig, conversionReviewVersions },
  });
  it.each<[string, Definition['spec']['conversion'], string[]]>([
    ['unknown', { strategy: 'Magic' }, ['FieldValueNotSupported spec.conversion.strategy']],
    [
      'a webhook without anything',
      { strategy: 'Webhook' },
      [
        'FieldValueRequired spec.conversion.conversionReviewVersions',
        'FieldValueRequired spec.conversion.webhookClientConfig',
      ],
    ],
    ['a webhook at a URL', webhook({ url: 'https://x.example.com/convert' }), []],
    ['http', webhook({ url: 'http://x.example.com' }), ['FieldValueInvalid spec.conversion.webhookClientConfig.url']],
    [
      'both a URL and a service',
      webhook({ url: 'https://x', service: { name: 'a', namespace: 'b' } }),
      ['FieldValueRequired spec.conversion.webhookClientConfig'],
    ],
    [
      'a service without a name',
      webhook({ service: { namespace: 'b' } }),
      ['FieldValueRequired spec.conversion.webhookClientConfig.service.namespace'],
    ],
    [
      'a service without a namespace',
      webhook({ service: { name: 'a' } }),
      ['FieldValueRequired spec.conversion.webhookClientConfig.service.name'],
    ],
    ['a service without a path', webhook({ service: { name: 'a', namespace: 'b', path: '' } }), []],
    [
      'a service whose path has a segment that is none',
      webhook({ service: { name: 'a', namespace: 'b', path: '/convert/A_1' } }),
      ['FieldValueInvalid spec.conversion.webhookClientConfig.service.path'],
    ],
    [
      'no known review version',
      webhook({ url: 'https://x' }, ['v7']),
      ['FieldValueInvalid spec.conversion.conversionReviewVersions'],
    ],
    [
      'a client without the strategy',
      { ...webhook({ url: 'https://x' }), strategy: 'None' },
      [
        'FieldValueForbidden spec.conversion.conversionReviewVersions',
        'FieldValueForbidden spec.conversion.webhookClientConfig',
      ],
    ],
  ])('%s', (_, conversion, expected) => {
    expect(of(conversion)).toEqual(expected);
  });
});
