import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worked } from '../../fixtures/worked.fixture.ts';
import { StatusError } from '../base/status-error.ts';
import { acceptsGzip, everyMediaType, negotiate, type Offer, typeOfErrors } from './negotiate.ts';

const everything: Offer = {
  mediaTypes: everyMediaType,
  transforms: ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'],
};
const protobuf = 'application/vnd.kubernetes.protobuf';

function chosen(accept: string | undefined, offer = everything): string {
  const { mediaType, transform } = negotiate(accept, offer);
  return transform ? `${mediaType} ${transform.as} ${transform.version}` : mediaType;
}

describe('the form of an answer', () => {
  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    [protobuf, protobuf],
    ['application/yaml, application/json', 'application/yaml'],
    ['application/yaml;q=0.5, application/json', 'application/json'],
    [`application/json;q=0.2,${protobuf};q=0.9,application/yaml;q=0.5`, protobuf],
    ['text/html, application/json;q=0.1', 'application/json'],
    ['text/html, */*;q=0.1', 'application/json'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io', 'application/json Table v1'],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io', 'application/json Table v1beta1'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io, application/json', 'application/json Table v1'],
    ['application/json;as=Table;v=v2;g=meta.k8s.io, application/json', 'application/json'],
    [`${protobuf};as=Table;v=v1;g=meta.k8s.io, application/yaml`, 'application/yaml'],
    [`${protobuf};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`, `${protobuf} PartialObjectMetadataList v1`],
    ['application/json; as="Table"; v="v1"; g="meta.k8s.io"', 'application/json Table v1'],
  ])('is settled for %j', (accept, form) => {
    expect(chosen(accept)).toBe(form);
  });

  it.each([
    'text/html',
    'application/jsonx',
    'application/json;as=Nothing;v=v1;g=meta.k8s.io',
    'application/json;as=Table',
  ])('is refused for %j', (accept) => {
    expect(() => chosen(accept)).toThrow(StatusError);
  });

  it('has no transformation where none is offered', () => {
    const plain = { mediaTypes: everyMediaType, transforms: [] };
    expect(() => chosen('application/json;as=Table;v=v1;g=meta.k8s.io', plain)).toThrow(StatusError);
    expect(chosen('application/json;as=Table;v=v1;g=meta.k8s.io, */*', plain)).toBe('application/json');
  });

  it('is one of those offered, or there is a refusal, whatever is asked for', () => {
    const accept = fc.oneof(
      fc.string(),
      fc
        .array(
          fc.constantFrom(
            'application/json',
            '*/*',
            ';',
            ',',
            'q=',
            '0.5',
            'as=Table',
            'g=meta.k8s.io',
            'v=v1',
            '"',
            '=',
          ),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(accept, (header) => {
        try {
          expect(everyMediaType).toContain(negotiate(header, everything).mediaType);
        } catch (error) {
          expect(error).toBeInstanceOf(StatusError);
        }
        expect(everyMediaType).toContain(typeOfErrors(header));
      }),
    );
  });

  it.each([
    [undefined, 'application/json'],
    ['application/yaml', 'application/yaml'],
    ['application/json, application/yaml', 'application/json'],
    ['application/json;q=0.1, application/yaml;q=0.9', 'application/yaml'],
    ['*/*, application/yaml', 'application/yaml'],
    ['text/html, application/yaml', 'application/yaml'],
    ['application/vnd.kubernetes.protobuf;stream=watch', 'application/vnd.kubernetes.protobuf'],
    ['application/yaml;as=Table;v=v1;g=meta.k8s.io', 'application/json'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io;q=0.5, application/yaml', 'application/yaml'],
    ['application/*', 'application/json'],
    ['text/html', 'application/json'],
  ])('of an error, where %s is accepted, is %s', (accept, mediaType) => {
    expect(typeOfErrors(accept)).toBe(mediaType);
  });

  it('names a type before what stands for many', () => {
    expect(negotiate('*/*, application/yaml', everything).mediaType).toBe('application/yaml');
  });

  it('is found at once in a header of any length', () => {
    const begin = worked();
    for (const header of [`${','.repeat(60_000)}`, `a${';q=1'.repeat(15_000)}`, '"'.repeat(60_000)]) {
      try {
        negotiate(header, everything);
      } catch {}
    }
    expect(worked() - begin).toBeLessThan(500);
  });
});

it.each([
  [undefined, false],
  ['gzip', true],
  ['deflate, gzip', true],
  ['gzip;q=1.0', true],
  ['gzip;q=0.1', true],
  ['gzip;q=0', false],
  ['identity, gzip; q=0.00, br', false],
  ['gzipped', false],
  ['br', false],
])('compression for Accept-Encoding %j: %s', (header, wanted) => {
  expect(acceptsGzip(header)).toBe(wanted);
});
