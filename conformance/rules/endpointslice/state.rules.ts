import { defineRule } from '../../rule.ts';
import { removeIn } from '../../sabotage/transforms.ts';

const combinations = [
  { ready: true, serving: true, terminating: false },
  { ready: false, serving: true, terminating: true },
  { ready: false, serving: false, terminating: true },
  { ready: false, serving: false, terminating: false },
];

export default [
  // The three conditions are true or false each by itself.
  defineRule('endpointslice.state.flags', {
    sabotage: removeIn('endpoints.*.conditions.serving', { method: 'GET', path: /\/endpointslices\// }),
    async check({ endpointSlices, expect }) {
      const endpoints = combinations.map((conditions, index) => ({ addresses: [`10.1.2.${index + 1}`], conditions }));
      const { status, body } = await endpointSlices.post(endpointSlices.sample({ endpoints }));
      expect(status).toBe(201);
      expect((await endpointSlices.read(body.metadata.name)).endpoints).toEqual(endpoints);
    },
  }),
];
