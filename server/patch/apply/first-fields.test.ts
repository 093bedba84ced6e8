import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json-value.ts';
import { atOnce } from '../../base/turns/work.ts';
import { compare } from './compare.ts';
import { isEmptySet, toFieldsV1 } from './field-set.ts';
import { firstFields } from './first-fields.ts';
import { builtIn } from './story.fixture.ts';
import { content, structure } from './thing.fixture.ts';
import { fieldsAt } from './tracked-write.ts';

describe('the fields of a new object', () => {
  const ignored = fieldsAt(['apiVersion'], ['kind'], ['metadata', 'name'], ['metadata', 'uid']);
  const asCompared = (object: JsonObject) => toFieldsV1(compare({ metadata: {} }, object, structure, ignored).added);
  const asWritten = (object: JsonObject) => atOnce(firstFields(object, structure, ignored));

  test('are those that a comparison with nothing finds, in the same order', () => {
    fc.assert(
      fc.property(content, (given) => {
        const object = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x' }, ...given } as unknown as JsonObject;
        expect(JSON.stringify(asWritten(object))).toBe(JSON.stringify(asCompared(object)));
      }),
      { numRuns: 1000 },
    );
  });

  test('are the same ones for objects that look alike, and their own for others', () => {
    // Which objects are remembered is counted for each set of ignored fields.
    const own = fieldsAt(['apiVersion'], ['kind']);
    const fields = (...keys: string[]) => {
      const data = Object.fromEntries(keys.map((key) => [key, `of ${key}`]));
      const { structure: real } = builtIn('v1', 'ConfigMap');
      return atOnce(firstFields({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data }, real, own));
    };
    expect(fields('x')).toBe(fields('x'));
    const [one, other] = [fields('a', 'b'), fields('a', 'c')];
    for (let n = 0; n < 100; n++) expect(fields(`only-${n}`)).toEqual({ 'f:data': { '.': {}, [`f:only-${n}`]: {} } });
    expect(fields('b', 'a')).toEqual(one);
    expect(other).toEqual({ 'f:data': { '.': {}, 'f:a': {}, 'f:c': {} } });
  });

  test('are its own for an object that was changed after it was looked at', () => {
    const { structure: real, settle: settled } = builtIn('v1', 'Node');
    const own = fieldsAt(['apiVersion'], ['kind'], ['metadata', 'name'], ['status']);
    const object = settled({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'x' }, spec: {} });
    const fields = () => atOnce(firstFields(object, real, own));
    expect(fields()).toEqual({});
    // As admission does to what was written.
    (object['spec'] as JsonObject)['taints'] = [{ key: 'a', effect: 'NoSchedule' }];
    expect(fields()).not.toEqual({});
  });

  test.each([
    [
      'Deployment',
      'apps/v1',
      { spec: { replicas: 1, template: { spec: { containers: [{ name: 'c', ports: [] }] } } } },
    ],
    ['Service', 'v1', { spec: { ports: [{ port: 80, protocol: 'TCP' }], selector: {} } }],
    ['Node', 'v1', { spec: {}, status: { nodeInfo: {} } }],
    ['ConfigMap', 'v1', { data: { a: 'b' }, binaryData: {} }],
    [
      'Job',
      'batch/v1',
      { spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } } } },
    ],
  ] as const)('are the same for a %s', (name, apiVersion, fields) => {
    const { structure: real, settle: settled } = builtIn(apiVersion, name);
    const metadata = { name: 'x', labels: { a: 'b' } };
    const object = settled({ apiVersion, kind: name, metadata, ...fields } as unknown as JsonObject);
    const own = atOnce(firstFields(object, real, ignored));
    const compared = compare({ metadata: {} }, object, real, ignored);
    if (own === undefined) expect(isEmptySet(compared.modified) && isEmptySet(compared.added)).toBe(false);
    else expect(JSON.stringify(own)).toBe(JSON.stringify(toFieldsV1(compared.added)));
  });
});
