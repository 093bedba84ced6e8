import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import { atomicRule } from '../atomic-rule.ts';
import { sampleFor, validityRule } from '../field-rules.ts';

const kind = 'endpointSlices';
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `p${index}`, port: 1000 + index, protocol: 'TCP' }));
const slice = (name: string) => ({
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.1.2.3'] }],
  ports: [{ name, port: 80, protocol: 'TCP' }],
});

export default [
  // A slice has 100 ports and no more.
  defineRule('endpointslice.ports.max', {
    sabotage: [
      answerStatus(422, { method: 'POST', path: /\/endpointslices$/, instead: 201 }),
      replaceIn('ports', { method: 'POST', path: /\/endpointslices$/ }),
    ],
    async check(context) {
      const { endpointSlices, looser, expect } = context;
      const full = await endpointSlices.post(await sampleFor(context, kind, { ports: many(100) }));
      expect(full.status, '100 ports').toBe(201);
      expect(full.body.ports, '100 ports').toHaveLength(100);
      const { status } = await endpointSlices.post(await sampleFor(context, kind, { ports: many(101) }));
      await looser(() => expect([400, 422], '101 ports').toContain(status));
    },
  }),

  // No two ports have the same name, not even an empty one.
  validityRule({
    id: 'endpointslice.ports.unique-names',
    kind,
    accepted: {
      'different names': {
        ports: [
          { name: 'a', port: 80 },
          { name: '', port: 81 },
        ],
      },
    },
    refused: {
      'a name twice': {
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81 },
          { name: 'a', port: 82 },
        ],
      },
      'an empty name twice': { ports: [{ name: '', port: 80 }, { name: 'a', port: 81 }, { port: 82 }] },
    },
  }),

  // The ports are merged as a whole.
  atomicRule({ id: 'endpointslice.ports.atomic', kind, first: slice('one'), second: slice('two'), path: 'ports' }),
];
