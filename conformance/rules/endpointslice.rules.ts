import { followsService } from '../checks/pods/followed-services.ts';
import { run } from '../checks/pods/node-play.ts';
import { appProtocol, type ServedPods, servePods } from '../checks/pods/service-pods.ts';
import { defineRule } from '../rule.ts';
import { edited } from '../sabotage/edited.ts';
import type { Match } from '../sabotage/match.ts';
import type { Sabotage } from '../sabotage/sabotage.ts';
import { changeAnswer, changeRequest, removeIn } from '../sabotage/transforms.ts';
import type { RuleContext } from '../verbs/context.ts';
import type { Json } from '../verbs/json.ts';
import { keptRule, validityRule } from './field-rules.ts';
import { groupVersionRule } from './group-version-rule.ts';
import { droppedRule } from './unsent-rules.ts';

const kind = 'endpointSlices';
const endpoint = (parts: object) => ({ endpoints: [{ addresses: ['10.1.2.3'], ...parts }] });
const lists = { method: 'GET', path: /\/endpointslices$/ };

const changesOfServices = { method: 'PATCH', path: /\/services\/[^/]+$/ };
const endsOfPods = { method: 'PATCH', path: /\/pods\/[^/]+\/status$/ };
const targetRef = { kind: 'Pod', namespace: 'default', name: 'front-1', uid: 'f0f0' };

/** The server takes no notice of a part of what is sent. */
const forgets = (path: readonly string[], match: Match): Sabotage =>
  changeRequest(`forgets ${path.join('.')}`, (body) => edited(body, path, () => undefined), match);

/** Until the endpoints of all pods are as ready as this. */
async function tellsReady({ pods, until }: ServedPods, ready: boolean, why: string): Promise<void> {
  const isSo = ({ conditions }: Json): boolean => conditions?.ready === ready;
  for (const pod of pods) await until(`${pod.status.podIP} is in a slice, ready: ${ready}, ${why}`, pod, isSo);
}

/** Of each pod it is told which number the name of the port is in it, whichever of its containers has that, and its own name. */
async function tellsPods({ expect }: RuleContext, { pods, slices }: ServedPods): Promise<void> {
  const all = await slices();
  for (const { status, spec } of pods) {
    const slice = all.find(({ endpoints = [] }) => endpoints.some((one: Json) => one.addresses.includes(status.podIP)));
    const named = spec.containers.flatMap(({ ports = [] }: Json) => ports).find(isHttp);
    const told = { name: 'http', port: named.containerPort, protocol: 'TCP', appProtocol };
    expect(slice?.ports, `the port of ${status.podIP}`).toMatchObject([told]);
    const { hostname } = slice.endpoints.find((one: Json) => one.addresses.includes(status.podIP));
    const isBelow = spec.subdomain === slice.metadata.labels['kubernetes.io/service-name'];
    expect(hostname, `the name of ${status.podIP} below its Service`).toBe(isBelow ? spec.hostname : undefined);
  }
}

const isHttp = ({ name, protocol }: Json): boolean => name === 'http' && protocol === 'TCP';

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
      removeIn('items.*.ports.*.appProtocol', lists),
      removeIn('items.*.endpoints.*.hostname', lists),
      forgets(['spec', 'ports'], changesOfServices),
      forgets(['spec', 'selector'], changesOfServices),
      ...['Succeeded', 'Failed'].map((phase) =>
        forgets(['status', 'phase'], { ...endsOfPods, body: new RegExp(phase) }),
      ),
    ],
    async check(context) {
      // The name of the port means another number in each pod, so one slice cannot hold both.
      const served = await servePods(context, [8080, 9090]);
      const { pods, slices, until } = served;
      for (const pod of pods) await until(`${pod.status.podIP} is in a slice`, pod, () => true);
      context.expect((await slices()).length, 'slices').toBeGreaterThan(1);
      await tellsPods(context, served);
      // A pod that can take no traffic now is one of the endpoints all the same.
      for (const ready of [false, true]) {
        for (const pod of pods) await run(context, pod, { ip: pod.status.podIP, ready });
        await tellsReady(served, ready, 'as it is');
        if (!ready) await publishesAll(context, served);
      }
      await followsService(context, served);
    },
  }),
];
