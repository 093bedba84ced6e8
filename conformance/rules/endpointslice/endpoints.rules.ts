import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import { atomicRule } from '../atomic-rule.ts';
import { sampleFor, validityRule } from '../field-rules.ts';

const kind = 'endpointSlices';
const one = { addresses: ['10.1.2.3'] };
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    addresses: [`10.1.${Math.floor(index / 250)}.${(index % 250) + 1}`],
  }));
const slice = (address: string) => ({ addressType: 'IPv4', endpoints: [{ addresses: [address] }] });
const posts = { method: 'POST', path: /\/endpointslices$/ };

export default [
  // A slice must have endpoints.
  defineRule('endpointslice.endpoints.required', {
    sabotage: [answerStatus(422, posts), replaceIn('endpoints', posts)],
    async check(context) {
      const { endpointSlices, looser, expect } = context;
      const sample = await sampleFor(context, kind, { endpoints: [one] });
      const { status: made, body } = await endpointSlices.post(sample);
      expect(made, 'with endpoints').toBe(201);
      expect(body.endpoints, 'with endpoints').toMatchObject([one]);
      const { status } = await endpointSlices.post(await sampleFor(context, kind, { endpoints: undefined }));
      await looser(() => expect([400, 422], 'without endpoints').toContain(status));
    },
  }),

  // No two endpoints of a slice are the same.
  defineRule('endpointslice.endpoints.unique', {
    sabotage: [answerStatus(422, posts), replaceIn('endpoints', posts)],
    async check(context) {
      const { endpointSlices, looser, expect } = context;
      const distinct = await endpointSlices.post(
        await sampleFor(context, kind, { endpoints: [one, { addresses: ['10.1.2.4'] }] }),
      );
      expect(distinct.status, 'different endpoints').toBe(201);
      expect(distinct.body.endpoints, 'different endpoints').toMatchObject([one, { addresses: ['10.1.2.4'] }]);
      const { status } = await endpointSlices.post(await sampleFor(context, kind, { endpoints: [one, one] }));
      await looser(() => expect([400, 422], 'an endpoint given twice').toContain(status));
    },
  }),

  // A slice has 1000 endpoints and no more.
  validityRule({
    id: 'endpointslice.endpoints.max',
    kind,
    accepted: { '1000 endpoints': { endpoints: many(1000) } },
    refused: { '1001 endpoints': { endpoints: many(1001) } },
  }),

  // The endpoints are merged as a whole.
  atomicRule({
    id: 'endpointslice.endpoints.atomic',
    kind,
    first: slice('10.1.2.3'),
    second: slice('10.1.2.4'),
    path: 'endpoints',
  }),
];
