import { defineRule } from '../../rule.ts';
import { removeIn, replaceIn } from '../../sabotage/transforms.ts';

const either = [true, false, undefined];
const combinations = either.flatMap((ready) =>
  either.flatMap((serving) => either.map((terminating) => ({ ready, serving, terminating }))),
);

export default [
  // The three conditions are true or false each by itself.
  defineRule('endpointslice.state.flags', {
    sabotage: [
      removeIn('endpoints.*.conditions.serving', { method: 'GET', path: /\/endpointslices\// }),
      replaceIn('endpoints.*.conditions.ready', { method: 'GET', path: /\/endpointslices\// }),
      replaceIn('endpoints.*.conditions', { method: 'POST', with: { ready: true } }),
    ],
    async check({ endpointSlices, expect }) {
      const endpoints = combinations.map((conditions, index) => ({ addresses: [`10.1.2.${index + 1}`], conditions }));
      const { status, body } = await endpointSlices.post(endpointSlices.sample({ endpoints }));
      expect(status).toBe(201);
      expect((await endpointSlices.read(body.metadata.name)).endpoints).toEqual(endpoints);
      const [silent] = (await endpointSlices.create({ endpoints: [{ addresses: ['10.1.2.1'] }] })).endpoints;
      expect(silent.conditions ?? {}, 'of an endpoint of which nothing is said').toEqual({});
    },
  }),
];
