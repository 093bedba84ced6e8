import { type ClientRequest, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { documented, implied, type PartyRule } from '../../party.ts';
import { goOnPath, oddAnswer, oddPath, streamPath } from '../backend.ts';
import { endpointsAt, type IngressContext } from '../context.ts';
import { backendOf, namedPort, onHost, portAt } from '../specs.ts';

/** What becomes of requests on their way, and of the Ingress itself. */
export const trafficRules: readonly PartyRule<IngressContext>[] = [
  implied(
    'ingress.forwards.whole',
    { statement: 'Method, path, query, headers and body reach the backend as they were.', from: ['ingress.routes'] },
    {
      fault: ['drops-query', 'drops-body'],
      async check({ backend, service, ingress, reaches, ask, domain, expect }) {
        const [host, one] = [domain(), await backend()];
        await ingress({ rules: [onHost(host, await service([one]))] });
        await reaches({ host }, one);
        const [path, body] = ['/some/path?a=1&b=%2Fc', 'x'.repeat(100_000)];
        const headers = { 'x-judged': 'as it is', 'content-type': 'text/plain' };
        const { seen } = await ask({ host, path, method: 'PUT', headers, body });
        expect(seen?.method, 'method').toBe('PUT');
        expect(seen?.url, 'path and query').toBe(path);
        expect(seen?.headers, 'headers').toMatchObject({ ...headers, host });
        expect(seen?.body.length, 'length of the body').toBe(body.length);
      },
    },
  ),
  implied(
    'ingress.forwards.answer',
    { statement: 'Status, headers and body reach the client as the backend wrote them.', from: ['ingress.routes'] },
    {
      fault: ['follows-redirects', 'joins-cookies'],
      async check({ backend, service, ingress, reaches, ask, domain, expect }) {
        const [host, one] = [domain(), await backend()];
        await ingress({ rules: [onHost(host, await service([one]))] });
        await reaches({ host }, one);
        const { status, headers, text } = await ask({ host, path: `/${oddPath}` });
        expect(status, 'status').toBe(oddAnswer.status);
        expect(headers, 'headers').toMatchObject(oddAnswer.headers);
        expect(text, 'body').toBe(oddAnswer.body);
      },
    },
  ),
  implied(
    'ingress.forwards.streams',
    { statement: 'What a backend has written of an answer does not wait for the rest.', from: ['ingress.routes'] },
    {
      fault: 'buffers',
      async check(context) {
        const { backend, service, ingress, reaches, ask, domain, expect } = context;
        const [host, one] = [domain(), await backend()];
        await ingress({ rules: [onHost(host, await service([one]))] });
        await reaches({ host }, one);
        const text = await firstOf(context, host, `/${streamPath}`);
        expect(text, 'what came before the end').toBe('first\n');
        await ask({ host, path: `/${goOnPath}` });
      },
    },
  ),
  implied(
    'ingress.forwards.upgrade',
    {
      statement: 'A connection can leave HTTP, as WebSockets do.',
      level: 'should',
      from: ['ingress.routes'],
    },
    {
      fault: 'no-upgrade',
      async check(context) {
        const { backend, service, ingress, reaches, domain, expect } = context;
        const [host, one] = [domain(), await backend()];
        await ingress({ rules: [onHost(host, await service([one]))] });
        await reaches({ host }, one);
        expect(await echoOf(context, host, 'over and out'), 'what came back').toBe('over and out');
      },
    },
  ),
  implied(
    'ingress.backend.port-name',
    { statement: 'A backend may name its port.', from: ['ingress.backend.service.port-required'] },
    {
      fault: 'ports-by-number',
      async check({ backend, service, ingress, reaches, domain, unique }) {
        const [host, one, name] = [domain(), await backend(), unique('svc')];
        await service([one], { name, ports: [namedPort, { name: 'other', port: 81 }] });
        await ingress({ rules: [onHost(host, backendOf(name, namedPort.name))] });
        await reaches({ host }, one);
      },
    },
  ),
  implied(
    'ingress.follows.endpoints',
    { statement: 'Requests follow the endpoints of a Service.', from: ['endpointslice.joined', 'ingress.routes'] },
    {
      fault: ['old-endpoints', 'keeps-last-endpoints'],
      async check({ backend, service, ingress, endpointSlices, slice, reaches, eventually, candidate, domain }) {
        const [host, one, two] = [domain(), await backend(), await backend()];
        const target = await service([]);
        const { addressType, endpoints } = endpointsAt(candidate);
        const made = await slice(target.service.name, {
          addressType,
          endpoints,
          ports: [portAt(one.port)],
        });
        await ingress({ rules: [onHost(host, target)] });
        await reaches({ host }, one);
        await endpointSlices.merge(made.metadata.name, { ports: [portAt(two.port)] });
        await reaches({ host }, two);
        await endpointSlices.remove(made.metadata.name);
        await eventually({ host }, 'is answered by nobody behind', ({ backend: by }) => by === undefined);
      },
    },
  ),
  implied(
    'ingress.follows.services',
    { statement: 'An Ingress may be there before its Service.', from: ['ingress.routes'] },
    {
      fault: 'reads-services-once',
      async check({ backend, service, ingress, reaches, misses, domain, unique }) {
        const [host, known, one, name] = [domain(), domain(), await backend(), unique('svc')];
        await ingress({ rules: [onHost(host, backendOf(name, 80)), onHost(known, await service([one]))] });
        await reaches({ host: known }, one);
        await misses({ host }, one);
        await service([one], { name });
        await reaches({ host }, one);
      },
    },
  ),
  implied(
    'ingress.follows.rules',
    { statement: 'Where the rules of an Ingress change, the old ones hold no more.', from: ['ingress.routes'] },
    {
      fault: 'keeps-rules',
      async check({ backend, service, ingress, ingresses, reaches, eventually, domain }) {
        const [host, one, two] = [domain(), await backend(), await backend()];
        const made = await ingress({ rules: [onHost(host, await service([one]), '/old')] });
        await reaches({ host, path: '/old' }, one);
        const rules = [onHost(host, await service([two]), '/new')];
        await ingresses.merge(made.metadata.name, { spec: { rules } });
        await reaches({ host, path: '/new' }, two);
        await eventually({ host, path: '/old' }, 'leads nowhere', ({ backend: by }) => by === undefined);
      },
    },
  ),
  implied(
    'ingress.follows.deletion',
    { statement: 'An Ingress that is deleted is served no more.', from: ['ingress.routes'] },
    {
      fault: 'keeps-deleted',
      async check({ backend, service, ingress, ingresses, reaches, eventually, domain }) {
        const [host, one] = [domain(), await backend()];
        const made = await ingress({ rules: [onHost(host, await service([one]))] });
        await reaches({ host }, one);
        await ingresses.remove(made.metadata.name);
        await eventually({ host }, 'is served no more', ({ backend: by }) => by !== one.name);
      },
    },
  ),
  // All service ports had better be among them.
  documented('ingress.status.ports.every', {
    fault: ['no-ports-in-status', 'no-status'],
    async check({ backend, service, ingress, ingresses, reaches, candidate, domain, expect, waitUntil }) {
      const [host, one] = [domain(), await backend()];
      const made = await ingress({ rules: [onHost(host, await service([one]))] });
      await reaches({ host }, one);
      const points = await waitUntil(
        'the status of the Ingress says where it is served',
        async () => (await ingresses.read(made.metadata.name)).status?.loadBalancer?.ingress ?? [],
        (seen) => seen.length > 0,
        { limit: candidate.patience },
      );
      for (const { ports } of points) {
        const numbers = (ports ?? []).map(({ port }: { readonly port: number }) => port);
        expect(numbers, `ports of the status, with ${candidate.address.port}`).toContain(candidate.address.port);
      }
    },
  }),
];

/** The first bytes of an answer. */
function firstOf({ candidate: { address } }: IngressContext, host: string, path: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const asked = request({ ...connectionTo(address), path, headers: { host } });
  asked.on('response', (answer) => answer.once('data', (chunk) => resolve(String(chunk))));
  return ended(asked, promise, resolve);
}

/** What comes back on a connection that has left HTTP. */
function echoOf({ candidate: { address } }: IngressContext, host: string, text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const asked = request({ ...connectionTo(address), headers: { host, connection: 'Upgrade', upgrade: 'echo' } });
  asked.on('upgrade', (_, socket: Duplex) => {
    socket.once('data', (chunk) => resolve(String(chunk)));
    socket.on('error', () => undefined);
    socket.write(text);
  });
  asked.on('response', ({ statusCode }) => resolve(`the answer ${statusCode} to the upgrade`));
  return ended(asked, promise, resolve);
}

const connectionTo = ({ host, port }: IngressContext['candidate']['address']) => ({
  host,
  port,
  agent: false as const,
});

/** Milliseconds to wait for what should come at once; what is held back comes in no time at all. */
const limit = 5_000;

async function ended(asked: ClientRequest, promise: Promise<string>, resolve: (text: string) => void): Promise<string> {
  asked.on('error', ({ message }) => resolve(message));
  const timer = setTimeout(() => resolve(`nothing within ${limit / 1_000} s`), limit);
  asked.end();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    asked.destroy();
  }
}
