import { defineRule } from '../rule.ts';
import { changeAnswer } from '../sabotage/transforms.ts';
import { keptRule, sampleFor, validityRule } from './field-rules.ts';
import { groupVersionRule } from './group-version-rule.ts';

const kind = 'endpointSlices';
const endpoint = (parts: object) => ({ endpoints: [{ addresses: ['10.1.2.3'], ...parts }] });
const targetRef = { kind: 'Pod', namespace: 'default', name: 'front-1', uid: 'f0f0' };

export default [
  groupVersionRule('endpointslice', kind),

  defineRule('endpointslice.deprecated-topology', {
    sabotage: changeAnswer(
      'keeps the topology',
      (body) => ({ ...body, endpoints: [{ ...body.endpoints?.[0], deprecatedTopology: { zone: 'north' } }] }),
      {
        path: /\/endpointslices(\/[^/]+)?$/,
      },
    ),
    async check(context) {
      const { endpointSlices, expect } = context;
      const { status, body } = await endpointSlices.post(
        await sampleFor(context, kind, endpoint({ deprecatedTopology: { zone: 'north' } })),
      );
      expect(status).toBe(201);
      expect(body.endpoints[0]).not.toHaveProperty('deprecatedTopology');
      expect((await endpointSlices.read(body.metadata.name)).endpoints[0]).not.toHaveProperty('deprecatedTopology');
    },
  }),

  validityRule({
    id: 'endpointslice.hostname',
    kind,
    accepted: { 'a label': endpoint({ hostname: 'front-1' }), 'left out': endpoint({}) },
    refused: {
      'upper case': endpoint({ hostname: 'Front' }),
      'a dot': endpoint({ hostname: 'a.b' }),
      'an underscore': endpoint({ hostname: 'a_b' }),
    },
  }),

  keptRule({
    id: 'endpointslice.node-name',
    kind,
    over: endpoint({ nodeName: 'node-1' }),
    path: 'endpoints.0.nodeName',
  }),
  keptRule({ id: 'endpointslice.target-ref', kind, over: endpoint({ targetRef }), path: 'endpoints.0.targetRef' }),
  keptRule({ id: 'endpointslice.zone', kind, over: endpoint({ zone: 'north' }), path: 'endpoints.0.zone' }),
];
