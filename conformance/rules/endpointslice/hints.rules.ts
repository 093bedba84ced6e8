import { defineRule } from '../../rule.ts';
import { storesRefused } from '../../sabotage/careless.ts';
import { answerStatus } from '../../sabotage/transforms.ts';
import { keptRule, sampleFor } from '../field-rules.ts';

const kind = 'endpointSlices';
const hinted = (...forZones: object[]) => ({ endpoints: [{ addresses: ['10.1.2.3'], hints: { forZones } }] });

export default [
  // `hints.forZones` may say which zones had better use the endpoint.
  keptRule({
    id: 'endpointslice.hints.for-zones',
    kind,
    over: hinted({ name: 'north' }, { name: 'south' }),
    path: 'endpoints.0.hints.forZones',
  }),

  // Each of these zones has a name.
  defineRule('endpointslice.hints.for-zones.name', {
    sabotage: [
      answerStatus(422, { method: 'POST', path: /\/endpointslices$/, instead: 201 }),
      answerStatus(201, { method: 'POST', path: /\/endpointslices$/, instead: 400 }),
      storesRefused({ path: /\/endpointslices(\/[^/]+)?$/ }),
    ],
    async check(context) {
      const { endpointSlices, looser, expect } = context;
      expect(
        (await endpointSlices.post(await sampleFor(context, kind, hinted({ name: 'north' })))).status,
        'with a name',
      ).toBe(201);
      const wrong = await sampleFor(context, kind, hinted({ name: 7 }));
      expect([400, 422], 'a name that is no text').toContain((await endpointSlices.post(wrong)).status);
      expect((await endpointSlices.get(wrong.metadata.name)).status, 'a name that is no text, as stored').toBe(404);
      const { status } = await endpointSlices.post(await sampleFor(context, kind, hinted({})));
      await looser(() => expect([400, 422], 'without a name').toContain(status));
    },
  }),
];
