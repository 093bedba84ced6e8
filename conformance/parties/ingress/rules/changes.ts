import { Agent, request } from 'undici';
import { implied, type PartyRule } from '../../party.ts';
import { type Backend, backendHeader } from '../backend.ts';
import { endpointsAt, type IngressContext, tlsData } from '../context.ts';
import { onHost, pathTo, portAt, withPaths } from '../specs.ts';

const changes = 200;
const clients = 8;

/** What becomes of requests while routes, endpoints and certificates change. */
export const changeRules: readonly PartyRule<IngressContext>[] = [
  implied(
    'ingress.changes.drop-nothing',
    {
      statement: `Of requests that come while ${changes} changes are made none is lost.`,
      from: ['ingress.routes', 'ingress.tls.sni'],
    },
    {
      fault: 'drops-on-change',
      async check(context) {
        const stage = await stageOf(context);
        await context.reaches({ host: stage.host }, stage.backends[0]);
        const { failures, asked } = await underLoad(context, stage.host, async () => {
          for (let round = 1; round <= changes; round++) await change(context, stage, round);
        });
        context.expect(failures.slice(0, 5), `${failures.length} of ${asked} requests failed`).toEqual([]);
        context.expect(asked, 'requests meanwhile').toBeGreaterThan(changes);
      },
    },
  ),
];

interface Stage {
  readonly host: string;
  readonly backends: readonly [Backend, Backend];
  /** Names of what is changed. */
  readonly ingress: string;
  readonly slice: string;
  readonly secret: string;
  readonly target: Awaited<ReturnType<IngressContext['service']>>;
}

async function stageOf(context: IngressContext): Promise<Stage> {
  const { domain, backend, service, slice, ingress, certificateFor, tlsSecret, candidate } = context;
  const [host, one, two] = [domain(), await backend(), await backend()];
  const target = await service([]);
  const made = await slice(target.service.name, { ...endpointsAt(candidate), ports: [portAt(one.port)] });
  const secret = await tlsSecret(await certificateFor(host));
  const tls = [{ hosts: [host], secretName: secret }];
  const { metadata } = await ingress({ tls, rules: [onHost(host, target)] });
  return { host, backends: [one, two], ingress: metadata.name, slice: made.metadata.name, secret, target };
}

/** Routes, endpoints, certificates and whole Ingresses by turns; now and then it is awaited that all is in force. */
async function change(context: IngressContext, stage: Stage, round: number): Promise<void> {
  const { ingresses, endpointSlices, secrets, ingress, certificateFor, reaches } = context;
  const { host, backends, target } = stage;
  const paths = [pathTo(target), pathTo(target, `/round-${round}`)];
  const kinds = [
    () => ingresses.merge(stage.ingress, { spec: { rules: [withPaths(host, paths)] } }),
    () => endpointSlices.merge(stage.slice, { ports: [portAt(backends[round % 2]?.port ?? 0)] }),
    async () => secrets.merge(stage.secret, { data: tlsData(await certificateFor(host)) }),
    async () => {
      const { metadata } = await ingress({ rules: [onHost(context.domain(), target)] });
      await ingresses.remove(metadata.name);
    },
  ];
  await kinds[round % kinds.length]?.();
  if (round % 20 !== 0) return;
  // The endpoints moved three rounds ago at the latest.
  const current = (await endpointSlices.read(stage.slice)).ports[0].port;
  await reaches({ host }, backends.find(({ port }) => port === current) ?? backends[0]);
}

/** Asks without a pause, over connections that are kept, as long as the work goes on. */
async function underLoad({ candidate: { address } }: IngressContext, host: string, work: () => Promise<void>) {
  const agent = new Agent({ connections: clients });
  const failures: string[] = [];
  let asked = 0;
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver && failures.length < 100) {
      asked += 1;
      const failure = await failureOf(agent, address, host, asked);
      if (failure) failures.push(failure);
    }
  };
  const load = Array.from({ length: clients }, client);
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(load);
    await agent.destroy();
  }
  return { failures, asked };
}

type Address = IngressContext['candidate']['address'];

/** What is wrong with the answer to one request; every third has a body. */
async function failureOf(agent: Agent, { host, port }: Address, name: string, count: number) {
  const body = count % 3 === 0 ? 'x'.repeat(1_000) : null;
  try {
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(`http://${host}:${port}/under-load`, {
      ...{ dispatcher: agent, headers: { host: name }, method: body ? 'POST' : 'GET', body },
      ...{ headersTimeout: 5_000, bodyTimeout: 5_000 },
    });
    const seen = (await answer.json()) as { readonly body?: string };
    const isWhole = statusCode === 200 && headers[backendHeader] && seen.body === (body ?? '');
    return isWhole ? undefined : `${statusCode} with ${seen.body?.length} characters of the body`;
  } catch (error) {
    return (error as Error).message;
  }
}
