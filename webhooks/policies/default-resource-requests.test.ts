import { describe, expect, it } from 'vitest';
import { defaultResourceRequests } from './default-resource-requests.ts';
import { reviewOf } from './review.fixture.ts';

const policy = defaultResourceRequests({ cpu: '100m', 'example.com/gpu': '1' });
const decide = (spec: object) => policy.decide(reviewOf({ spec })).patch;
const at = '/spec/containers/0/resources';

describe('default requests', () => {
  it.each<[string, object, object[] | undefined]>([
    [
      'for a container that says nothing',
      {},
      [{ op: 'add', path: at, value: { requests: { cpu: '100m', 'example.com/gpu': '1' } } }],
    ],
    [
      'beside other resources',
      { resources: {} },
      [{ op: 'add', path: `${at}/requests`, value: { cpu: '100m', 'example.com/gpu': '1' } }],
    ],
    [
      'for what is missing',
      { resources: { requests: { cpu: 1 } } },
      [{ op: 'add', path: `${at}/requests/example.com~1gpu`, value: '1' }],
    ],
    ['not where a limit says it', { resources: { limits: { cpu: 1, 'example.com/gpu': 1 } } }, undefined],
    ['not twice', { resources: { requests: { cpu: '100m', 'example.com/gpu': '1' } } }, undefined],
  ])('%s', (_, container, patch) => expect(decide({ containers: [container] })).toEqual(patch));

  it('for every container, those that run first too', () => {
    const paths = decide({ containers: [{}, {}], initContainers: [{}] })?.map(({ path }) => path);
    expect(paths).toEqual([at, '/spec/containers/1/resources', '/spec/initContainers/0/resources']);
  });

  it('not for a pod that is yet to be refused, which has no containers', () =>
    expect(policy.decide(reviewOf({ spec: { containers: null } }))).toEqual({ allowed: true }));

  it('not for a pod without a spec', () => expect(policy.decide(reviewOf({}))).toEqual({ allowed: true }));
});
