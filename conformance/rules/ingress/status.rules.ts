import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus, forceQuery, loseWrite } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';

const status = { path: /\/ingresses\/[^/]+\/status$/ };
const balancer = (...points: object[]) => ({ status: { loadBalancer: { ingress: points } } });
const sound = { ip: '10.1.2.3' };
const ports = (...values: object[]) => balancer({ ip: '10.1.2.3', ports: values });
const port = { port: 80, protocol: 'TCP' };

/** A value of the status is stored; what is refused by the documents is refused, or only warned of where genuine servers take it. */
const statusRule = (
  id: string,
  accepted: Readonly<Record<string, Json>>,
  refused: Readonly<Record<string, Json>>,
  loose: Readonly<Record<string, Json>> = {},
): Rule =>
  defineRule(id, {
    sabotage: [
      loseWrite({ ...status, method: 'PATCH' }),
      ...(Object.keys(refused).length > 0 ? [answerStatus(200, { ...status, instead: [400, 422] })] : []),
    ],
    async check({ ingresses, looser, expect }) {
      const { metadata } = await ingresses.create();
      const patch = async (part: Json) => (await ingresses.patch(metadata.name, part, { sub: 'status' })).status;
      for (const [what, part] of Object.entries(accepted)) {
        expect(await patch(part), what).toBe(200);
        expect((await ingresses.read(metadata.name)).status.loadBalancer, what).toEqual(part.status.loadBalancer);
      }
      for (const [what, part] of Object.entries(refused)) expect([400, 422], what).toContain(await patch(part));
      for (const [what, part] of Object.entries(loose)) {
        const code = await patch(part);
        await looser(() => expect([400, 422], what).toContain(code));
      }
    },
  });

export default [
  // A load balancer known by DNS has its `hostname` in the status.
  statusRule(
    'ingress.status.hostname',
    { 'a host name': balancer({ hostname: 'lb.example.com' }) },
    {
      'a number': balancer({ hostname: 7 }),
      'no name, not the first': balancer(sound, { hostname: 'not a name' }),
      'an address': balancer({ hostname: '10.1.2.3' }),
    },
  ),
  // A load balancer known by address has its `ip` in the status.
  statusRule(
    'ingress.status.ip',
    { 'an address': balancer(sound), 'two addresses': balancer(sound, { ip: 'fd00::1' }) },
    {
      'a number': balancer({ ip: 7 }),
      'no address': balancer({ ip: 'lb.example.com' }),
      'no address, not the first': balancer(sound, { ip: '10.1.2' }),
    },
  ),
  // Each of them has its `port`.
  statusRule(
    'ingress.status.port',
    { 'a port': ports(port) },
    { 'a port as text': ports({ ...port, port: '80' }) },
    { 'no port': ports({ protocol: 'TCP' }) },
  ),

  // Each of them has its `protocol`: `TCP`, `UDP` or `SCTP`.
  statusRule(
    'ingress.status.protocol',
    { TCP: ports(port), UDP: ports({ ...port, protocol: 'UDP' }), SCTP: ports({ ...port, protocol: 'SCTP' }) },
    { 'a number': ports({ ...port, protocol: 6 }) },
    { 'no protocol': ports({ port: 80 }), 'another word': ports({ ...port, protocol: 'ICMP' }) },
  ),

  // Each of them may have an `error`, a CamelCase word that may have a domain in front.
  statusRule(
    'ingress.status.error',
    {
      'left out': ports(port),
      'a CamelCase word': ports({ ...port, error: 'MixedProtocol' }),
      'a prefixed word': ports({ ...port, error: 'foo.example.com/NoPort' }),
    },
    { 'a number': ports({ ...port, error: 7 }) },
    { 'a sentence': ports({ ...port, error: 'it did not work' }) },
  ),

  // The `ports` of a load balancer are merged as a whole.
  defineRule('ingress.status.ports', {
    sabotage: [
      answerStatus(200, { ...status, method: 'PATCH', instead: 409 }),
      forceQuery('force', 'true', { ...status, method: 'PATCH' }),
    ],
    async check({ ingresses, expect }) {
      const { metadata } = await ingresses.create();
      const apply = (part: Json, manager: string, force = 'false') => {
        const body = {
          apiVersion: 'networking.k8s.io/v1',
          kind: 'Ingress',
          metadata: { name: metadata.name },
          ...part,
        };
        return ingresses.patch(metadata.name, body, {
          type: 'apply',
          sub: 'status',
          query: { fieldManager: manager, force },
        });
      };
      expect((await apply(ports(port), 'first')).status).toBe(200);
      const other = ports({ port: 443, protocol: 'TCP' });
      expect((await apply(other, 'second')).status, 'another list by another manager').toBe(409);
      expect((await apply(other, 'second', 'true')).body.status.loadBalancer.ingress[0].ports).toEqual([
        { port: 443, protocol: 'TCP' },
      ]);
    },
  }),
];
