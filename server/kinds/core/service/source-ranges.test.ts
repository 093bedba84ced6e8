import { expect, test } from 'vitest';
import { FieldPath } from '../../../base/field-path.ts';
import { validateSourceRanges } from './source-ranges.ts';

const annotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const inField = 'spec.LoadBalancerSourceRanges';
const inAnnotation = String(FieldPath.of('metadata', 'annotations').key(annotation));

const balanced = (...loadBalancerSourceRanges: string[]) => ({ type: 'LoadBalancer', loadBalancerSourceRanges });

test.each([
  ['nothing', {}, undefined, []],
  ['ranges', balanced('10.0.0.0/8', ' 10.1.0.0/16'), undefined, []],
  ['several that are none', balanced('a', 'b'), undefined, [`${inField} Invalid`]],
  ['an annotation', balanced(), '10.0.0.0/8, 10.1.0.0/16', []],
  ['one that lets everybody in', balanced(), ' ', []],
  ['one that says nothing readable', balanced(), '10.0.0.0', [`${inAnnotation} Invalid`]],
  ['one that does not count', balanced('10.0.0.0/8'), 'any', []],
  ['one without a balancer', { type: 'ClusterIP' }, '10.0.0.0/8', [`${inAnnotation} Forbidden`]],
])('%s', (_, spec, annotated, causes) => {
  const annotations = annotated === undefined ? undefined : { [annotation]: annotated };
  const found = validateSourceRanges(spec, annotations).map(({ field, reason }) => `${field} ${reason}`);
  expect(found.map((text) => text.replace('FieldValue', ''))).toEqual(causes);
});
