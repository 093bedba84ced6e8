import { setTimeout as sleep } from 'node:timers/promises';
import type { Expect } from '../../assertions.ts';
import { expect } from '../../expect.ts';
import { type Authority, type KeyPair, makeAuthority, makePair } from '../../lab/certificates.ts';
import { Breach } from '../../verbs/breach.ts';
import type { Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { mustSucceed } from '../../verbs/workspace.ts';
import { type ClusterCandidate, openCluster } from '../cluster.ts';
import type { PartyRun } from '../party.ts';
import { otherAddress } from './addresses.ts';
import { type Backend, startBackend } from './backend.ts';
import { type Address, type Answered, type Ask, call } from './call.ts';
import { backendOf, namedPort } from './specs.ts';

/** The controller that is judged. */
export interface IngressCandidate extends ClusterCandidate {
  readonly address: Address;
  /** Where its port 443 is reached. */
  readonly tlsAddress: Address;
  /** The IngressClass that asks for it; undefined for Ingresses that name none. */
  readonly className: string | undefined;
  /** Where it reaches this machine. */
  readonly backendHost: string;
}

type Kinds = 'services' | 'endpointSlices' | 'ingresses' | 'ingressClasses' | 'secrets';

/** What a check works with: objects on the server, backends behind the controller, requests to it. */
export type IngressContext = Pick<RuleContext, Kinds | 'unique' | 'extraNamespace' | 'skip' | 'waitUntil'> & {
  readonly expect: Expect;
  readonly candidate: IngressCandidate;
  /** A domain that nobody else uses. */
  readonly domain: () => string;
  readonly backend: (port?: number) => Promise<Backend>;
  /** Makes a Service, with a slice for each of these backends that leads to it. Gives what an Ingress has as its backend. */
  readonly service: (backends: readonly Backend[], parts?: ServiceParts) => Promise<Json>;
  /** Makes a slice of a Service. */
  readonly slice: (service: string, over: Json, namespace?: string) => Promise<Json>;
  /** Makes an Ingress of the candidate's class. */
  readonly ingress: (spec: Json, over?: { readonly metadata?: Json; readonly namespace?: string }) => Promise<Json>;
  readonly certificateFor: (...hosts: readonly string[]) => Promise<KeyPair>;
  /** Makes a Secret of a certificate. Gives its name. */
  readonly tlsSecret: (
    pair: KeyPair,
    over?: { readonly name?: string; readonly namespace?: string },
  ) => Promise<string>;
  readonly ask: (ask: Ask) => Promise<Answered>;
  /** Waits until this is so, for as long as the candidate may take; tells what it saw last. */
  readonly eventually: (ask: Ask, what: string, accept: (answer: Answered) => boolean) => Promise<Answered>;
  /** Waits until a backend answers. */
  readonly reaches: (ask: Ask, backend: Backend) => Promise<Answered>;
  /** Asks several times, and none of the backends may answer. */
  readonly misses: (ask: Ask, ...backends: readonly Backend[]) => Promise<void>;
};

export interface ServiceParts {
  readonly name?: string;
  readonly namespace?: string;
  /** Ports of the Service; `namedPort` unless given. */
  readonly ports?: Json;
  /** Conditions of all endpoints; `ready` unless given. */
  readonly conditions?: Json;
}

let authority: Promise<Authority> | undefined;

export async function openIngress(candidate: IngressCandidate, run: PartyRun): Promise<IngressContext> {
  const context = openCluster(candidate, run);
  const asking = askingOf(candidate, run);
  const slice = sliceMaker(context);
  const { services, endpointSlices, ingresses, ingressClasses, secrets, unique, extraNamespace, skip, waitUntil } =
    context;
  return {
    ...{ services, endpointSlices, ingresses, ingressClasses, secrets, unique, extraNamespace, skip, waitUntil },
    ...{ expect, candidate, slice, ...asking },
    domain: () => `${unique('judged')}.example.com`,
    backend: async (port) => {
      const backend = await startBackend(unique('backend'), port);
      run.release(backend.close);
      return backend;
    },
    service: (backends, parts = {}) => makeService(context, candidate, backends, parts),
    ingress: (spec, { metadata, namespace } = {}) => {
      const named = { ...classOf(candidate, metadata), ...spec };
      return make(at(ingresses, namespace), { metadata: { name: unique(), ...metadata }, spec: named });
    },
    certificateFor: async (...hosts) => {
      authority ??= makeAuthority('judge-of-ingress');
      return makePair({ name: `CN=${unique()}`, usage: 'server', hosts }, await authority);
    },
    tlsSecret: async (pair, { name = unique(), namespace } = {}) => {
      const body = { metadata: { name }, type: 'kubernetes.io/tls', data: tlsData(pair) };
      return (await make(at(secrets, namespace), body)).metadata.name;
    },
  };
}

/** The data of a Secret of a certificate. */
export const tlsData = ({ certificate, key }: KeyPair): Json => ({
  'tls.crt': Buffer.from(certificate).toString('base64'),
  'tls.key': Buffer.from(key).toString('base64'),
});

/** The old annotation takes the place of the field. */
export const classAnnotation = 'kubernetes.io/ingress.class';

const classOf = ({ className }: IngressCandidate, metadata: Json): Json =>
  className === undefined || metadata?.annotations?.[classAnnotation] ? {} : { ingressClassName: className };

const at = (collection: Collection, namespace: string | undefined): Collection =>
  namespace === undefined ? collection : collection.in(namespace);

async function make(collection: Collection, body: Json): Promise<Json> {
  const { kind } = collection.at;
  return mustSucceed(await collection.post(body), `create the ${kind} ${body.metadata.name}`).body;
}

const serviceLabel = 'kubernetes.io/service-name';

const sliceMaker =
  ({ endpointSlices, unique }: RuleContext): IngressContext['slice'] =>
  (service, over, namespace) => {
    const metadata = { name: unique(), labels: { [serviceLabel]: service } };
    return make(at(endpointSlices, namespace), { metadata, ...over });
  };

/**
 * An endpoint at the address where the controller reaches this machine. Loopback addresses stand only in slices of names.
 * @param nth which one of a Service: its second is at another address, as those of pods are, if the machine has one
 */
export function endpointsAt(
  { backendHost }: IngressCandidate,
  { conditions = { ready: true }, nth = 0 }: Endpoint = {},
): Json {
  const address = nth % 2 === 0 ? backendHost : (otherAddress(backendHost) ?? backendHost);
  return {
    addressType: backendHost.startsWith('127.') ? 'FQDN' : backendHost.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [address], conditions }],
  };
}

interface Endpoint {
  readonly conditions?: Json;
  readonly nth?: number;
}

async function makeService(
  context: RuleContext,
  candidate: IngressCandidate,
  backends: readonly Backend[],
  { name = context.unique('svc'), namespace, ports = [namedPort], conditions }: ServiceParts,
): Promise<Json> {
  await make(at(context.services, namespace), { metadata: { name }, spec: { ports } });
  for (const [nth, { port }] of backends.entries())
    await sliceMaker(context)(
      name,
      { ...endpointsAt(candidate, { conditions, nth }), ports: [{ name: ports[0].name ?? '', port }] },
      namespace,
    );
  return backendOf(name, ports[0].port);
}

type Asking = Pick<IngressContext, 'ask' | 'eventually' | 'reaches' | 'misses'>;

function askingOf({ address, tlsAddress, patience }: IngressCandidate, { exchanges }: PartyRun): Asking {
  const to = (ask: Ask): Address => (ask.sni === undefined ? address : tlsAddress);
  const ask: Asking['ask'] = (asked) => call(to(asked), asked, (exchange) => exchanges.push(exchange));
  const eventually: Asking['eventually'] = async (asked, what, accept) => {
    const end = performance.now() + patience;
    for (let seen = ''; ; await sleep(50)) {
      // Only the last one is shown.
      const place = exchanges.length;
      const answer = await ask(asked).catch((error: Error) => {
        seen = error.message;
        return undefined;
      });
      if (answer && accept(answer)) return answer;
      if (answer)
        seen = `${answer.status} ${answer.backend ? `of ${answer.backend}` : ''} ${answer.text.slice(0, 200)}`;
      if (performance.now() > end)
        throw new Breach('assertion', `waited ${patience} ms until ${asked.host} ${what}; last seen: ${seen}`);
      exchanges.splice(place);
    }
  };
  return {
    ask,
    eventually,
    reaches: (asked, { name }) =>
      eventually(asked, `${asked.path ?? '/'} is answered by ${name}`, (answer) => answer.backend === name),
    async misses(asked, ...backends) {
      for (let round = 0; round < 3; round++) {
        const { backend } = await ask(asked);
        expect(
          backends.map(({ name }) => name),
          `${asked.host}${asked.path ?? '/'} is answered by`,
        ).not.toContain(backend);
      }
    },
  };
}
