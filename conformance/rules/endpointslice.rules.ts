import { run } from '../checks/pods/node-play.ts';
import { type ServedPods, servePods } from '../checks/pods/service-pods.ts';
import { defineRule } from '../rule.ts';
import { changeAnswer, removeIn } from '../sabotage/transforms.ts';
import type { RuleContext } from '../verbs/context.ts';
import type { Json } from '../verbs/json.ts';
import { keptRule, validityRule } from './field-rules.ts';
import { groupVersionRule } from './group-version-rule.ts';
import { droppedRule } from './unsent-rules.ts';

const kind = 'endpointSlices';
const endpoint = (parts: object) => ({ endpoints: [{ addresses: ['10.1.2.3'], ...parts }] });
const lists = { method: 'GET', path: /\/endpointslices$/ };
const targetRef = { kind: 'Pod', namespace: 'default', name: 'front-1', uid: 'f0f0' };

/** Until the endpoints of all pods are as ready as this. */
async function tellsReady({ pods, until }: ServedPods, ready: boolean, why: string): Promise<void> {
  const isSo = ({ conditions }: Json): boolean => conditions?.ready === ready;
  for (const pod of pods) await until(`${pod.status.podIP} is in a slice, ready: ${ready}, ${why}`, pod, isSo);
}

/** Of each pod it is told which number the name of the port is in it, whichever of its containers has that. */
async function tellsPorts({ expect }: RuleContext, { pods, slices }: ServedPods): Promise<void> {
  const all = await slices();
  for (const { status, spec } of pods) {
    const slice = all.find(({ endpoints = [] }) => endpoints.some((one: Json) => one.addresses.includes(status.podIP)));
    const named = spec.containers.flatMap(({ ports = [] }: Json) => ports).find(({ name }: Json) => name === 'http');
    expect(slice?.ports, `the port of ${status.podIP}`).toMatchObject([{ name: 'http', port: named.containerPort }]);
  }
}

/** A Service may ask for its pods before they are ready. */
async function publishesAll({ services }: RuleContext, served: ServedPods): Promise<void> {
  for (const publishNotReadyAddresses of [true, false]) {
    await services.merge(served.service, { spec: { publishNotReadyAddresses } });
    await tellsReady(served, publishNotReadyAddresses, 'as its Service asks for it');
  }
}

export default [
  groupVersionRule('endpointslice', kind),

  // `deprecatedTopology` cannot be set any more and is passed over.
  droppedRule({
    id: 'endpointslice.deprecated-topology',
    kind,
    over: endpoint({ deprecatedTopology: { zone: 'north' } }),
    path: 'endpoints.0.deprecatedTopology',
  }),

  // `hostname` may be given as a DNS label in lower case.
  validityRule({
    id: 'endpointslice.hostname',
    kind,
    accepted: {
      'a label': endpoint({ hostname: 'front-1' }),
      'digits alone': endpoint({ hostname: '10' }),
      'left out': endpoint({}),
    },
    refused: {
      'upper case': endpoint({ hostname: 'Front' }),
      'a dot': endpoint({ hostname: 'a.b' }),
      'an underscore': endpoint({ hostname: 'a_b' }),
    },
  }),

  // `nodeName` may say on which node the endpoint is.
  keptRule({
    id: 'endpointslice.node-name',
    kind,
    over: endpoint({ nodeName: 'node-1' }),
    path: 'endpoints.0.nodeName',
  }),
  // `targetRef` may say which object the endpoint is.
  keptRule({ id: 'endpointslice.target-ref', kind, over: endpoint({ targetRef }), path: 'endpoints.0.targetRef' }),
  // `zone` may say in which zone the endpoint is.
  keptRule({ id: 'endpointslice.zone', kind, over: endpoint({ zone: 'north' }), path: 'endpoints.0.zone' }),

  // The slices of a service, found by their labels, make up its endpoints.
  defineRule('endpointslice.joined', {
    needs: ['endpointslice-controller'],
    sabotage: [
      changeAnswer('loses a slice', (body) => ({ ...body, items: body.items?.slice(1) }), lists),
      removeIn('items.*.endpoints', lists),
      removeIn('items.*.ports.*.port', lists),
    ],
    async check(context) {
      // The name of the port means another number in each pod, so one slice cannot hold both.
      const served = await servePods(context, [8080, 9090]);
      const { pods, slices, until } = served;
      for (const pod of pods) await until(`${pod.status.podIP} is in a slice`, pod, () => true);
      context.expect((await slices()).length, 'slices').toBeGreaterThan(1);
      await tellsPorts(context, served);
      // A pod that can take no traffic now is one of the endpoints all the same.
      for (const ready of [false, true]) {
        for (const pod of pods) await run(context, pod, { ip: pod.status.podIP, ready });
        await tellsReady(served, ready, 'as it is');
        if (!ready) await publishesAll(context, served);
      }
    },
  }),
];
