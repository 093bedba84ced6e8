import { defineRule } from '../../rule.ts';
import { replaceIn } from '../../sabotage/transforms.ts';
import { validityRule } from '../field-rules.ts';
import { terminatingPodRule } from './terminating-pod.ts';

const endpoint = (conditions: object | undefined) => ({
  endpoints: [{ addresses: ['10.1.2.3'], ...(conditions ? { conditions } : {}) }],
});

export default [
  // `ready` may say whether traffic can come.
  validityRule({
    id: 'endpointslice.conditions.ready',
    kind: 'endpointSlices',
    accepted: { true: endpoint({ ready: true }), false: endpoint({ ready: false }), 'left out': endpoint(undefined) },
    refused: { 'a text': endpoint({ ready: 'yes' }), 'a number': endpoint({ ready: 1 }) },
  }),

  // `serving` and `terminating` are behind the feature gate EndpointSliceTerminatingCondition.
  defineRule('endpointslice.conditions.gate', {
    flags: ['--feature-gates=EndpointSliceTerminatingCondition=false'],
    sabotage: replaceIn('endpoints.*.conditions.serving', { path: /\/endpointslices$/, with: true }),
    async check({ endpointSlices, expect }) {
      const { status, body } = await endpointSlices.post(
        endpointSlices.sample(endpoint({ ready: true, serving: true, terminating: false })),
      );
      expect(status).toBe(201);
      expect(body.endpoints[0].conditions).toEqual({ ready: true });
    },
  }),

  // `serving` says the same without regard to termination.
  terminatingPodRule('endpointslice.conditions.serving', 'serving', true, true),
  // `terminating` may say that the end has begun.
  terminatingPodRule('endpointslice.conditions.terminating', 'terminating', false, true),
];
