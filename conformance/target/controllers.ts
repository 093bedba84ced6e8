import { base64 } from '../../fixtures/certificates.ts';
import { sampleOf } from '../../fixtures/objects.ts';
import type { Capability } from '../capability.ts';
import type { Send } from '../verbs/client.ts';
import { allOf, type Permit, runLabel } from '../verbs/guest/permit.ts';
import type { Json } from '../verbs/json.ts';
import { mergePatchHeaders } from '../verbs/patch-types.ts';
import { waitUntil } from '../verbs/wait-until.ts';
import { asking } from './inspect.ts';
import type { Target } from './target.ts';

/** What a server has only by the controllers that run beside it. */
export const controllerCapabilities: readonly Capability[] = [
  'controllers',
  'job-controller',
  'ttl-controller',
  'garbage-collector',
  'endpointslice-controller',
  'token-cleaner',
  'signer',
];

/** Something to create, and what it becomes when the controller runs. */
interface Trace {
  readonly path: string;
  readonly object: Json;
  /** What is done to the object as soon as it is there. */
  readonly afterwards?: { readonly sub: string; readonly patch: Json };
  /** Looked at instead of the object. */
  readonly look?: string;
  readonly shows: (status: number, body: Json) => boolean;
  /** It is of the whole cluster. */
  readonly clusterWide?: boolean;
}

/** How long controllers may take that have long been running, and those of a server that has just been started. */
const limits = { running: 10_000, started: 30_000 };

const longAgo = '2024-05-06T07:08:09Z';

const gone = (status: number): boolean => status === 404;
const holds = (type: string) => (_: number, body: Json) =>
  body?.status?.conditions?.some((one: Json) => one.type === type && one.status === 'True') ?? false;
/** The cheapest trace of each controller, in a namespace of its own where that is possible. */
function traces(namespace: string): Partial<Record<Capability, Trace>> {
  const at = (group: string, resource: string): string => `${group}/namespaces/${namespace}/${resource}`;
  const named = (kind: string, apiVersion: string, more: Json = {}): Json => ({
    ...sampleOf(kind, apiVersion, namespace),
    ...more,
  });
  const job = (more: Json): Json => {
    const sample = sampleOf('Job', 'batch/v1', `${namespace}-${Object.keys(more).length}`);
    return { ...sample, spec: { ...sample['spec'], suspend: true, ...more } };
  };
  const uid = '00000000-0000-4000-8000-000000000000';
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never-there', uid }];
  const slices = `${at('/apis/discovery.k8s.io/v1', 'endpointslices')}?labelSelector=kubernetes.io/service-name=${namespace}`;
  return {
    'job-controller': { path: at('/apis/batch/v1', 'jobs'), object: job({}), shows: holds('Suspended') },
    'ttl-controller': {
      path: at('/apis/batch/v1', 'jobs'),
      object: job({ ttlSecondsAfterFinished: 0 }),
      afterwards: {
        sub: 'status',
        patch: {
          startTime: longAgo,
          completionTime: longAgo,
          conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: longAgo }],
        },
      },
      shows: gone,
    },
    'garbage-collector': {
      path: at('/api/v1', 'configmaps'),
      object: named('ConfigMap', 'v1', { metadata: { name: namespace, ownerReferences } }),
      shows: gone,
    },
    'endpointslice-controller': {
      path: at('/api/v1', 'services'),
      object: named('Service', 'v1'),
      look: slices,
      shows: (_, body) => (body?.items?.length ?? 0) > 0,
    },
    ...clusterWideTraces(namespace),
  };
}

/** Of controllers whose objects are in no namespace of ours. */
function clusterWideTraces(name: string): Partial<Record<Capability, Trace>> {
  const id = name.slice(-6);
  return {
    'token-cleaner': {
      clusterWide: true,
      path: '/api/v1/namespaces/kube-system/secrets',
      object: {
        ...sampleOf('Secret', 'v1', `bootstrap-token-${id}`),
        type: 'bootstrap.kubernetes.io/token',
        data: {
          'token-id': base64(id),
          'token-secret': base64('0123456789abcdef'),
          expiration: base64(longAgo),
        },
      },
      shows: gone,
    },
    signer: {
      clusterWide: true,
      path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
      object: clientRequest(name),
      afterwards: {
        sub: 'approval',
        patch: { conditions: [{ type: 'Approved', status: 'True', reason: 'Explored', message: 'explored' }] },
      },
      shows: (_, body) => Boolean(body?.status?.certificate),
    },
  };
}

function clientRequest(name: string): Json {
  const request = sampleOf('CertificateSigningRequest', 'certificates.k8s.io/v1', name);
  return { ...request, spec: { ...request['spec'], signerName: 'kubernetes.io/kube-apiserver-client' } };
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

export interface Search {
  /** What need not be looked for. */
  readonly known?: readonly Capability[];
  /** Whether bootstrap tokens may be made and signing requests be approved for it, too. */
  readonly permit: Permit;
  /** Milliseconds for each. */
  readonly limit?: number;
}

/** Of these controllers, which a server that has just been started, only for rules, does not have. */
export async function absentControllers(
  target: Target,
  needs: readonly Capability[],
  limit: number = limits.started,
): Promise<readonly Capability[]> {
  const known = controllerCapabilities.filter((name) => !needs.includes(name));
  return asking(target, async (send) => {
    const found = await findControllers(send, { known, permit: allOf('exploring'), limit });
    return needs.filter((need) => need !== 'controllers' && !found.includes(need));
  });
}

/** Tries out which controllers run. Leaves nothing behind. */
export async function findControllers(
  send: Send,
  { known = [], permit, limit = limits.running }: Search,
): Promise<readonly Capability[]> {
  const random = Array.from({ length: 6 }, () => letters[Math.floor(Math.random() * letters.length)]).join('');
  const name = `touchstone-${random}`;
  const labels = { [runLabel]: permit.run };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
  await send('POST', '/api/v1/namespaces', { body: namespace });
  try {
    const unknown = Object.entries(traces(name)).filter(
      ([capability, { clusterWide }]) => !known.includes(capability as Capability) && (permit.cluster || !clusterWide),
    );
    const found = await Promise.all(
      unknown.map(async ([capability, trace]) =>
        (await leaves(send, labelled(trace, labels), limit)) ? [capability as Capability] : [],
      ),
    );
    return found.flat();
  } finally {
    await send('DELETE', `/api/v1/namespaces/${name}`).catch(() => undefined);
  }
}

const labelled = (trace: Trace, labels: Json): Trace => ({
  ...trace,
  object: { ...trace.object, metadata: { ...trace.object.metadata, labels } },
});

async function leaves(send: Send, { path, object, afterwards, look, shows }: Trace, limit: number): Promise<boolean> {
  const place = `${path}/${object.metadata.name}`;
  try {
    if ((await send('POST', path, { body: object })).status !== 201) return false;
    if (afterwards) {
      await send('PATCH', `${place}/${afterwards.sub}`, {
        headers: mergePatchHeaders,
        body: { status: afterwards.patch },
      });
    }
    const see = () => send('GET', look ?? place);
    await waitUntil('the controller acts', see, ({ status, body }) => shows(status, body), { limit });
    return true;
  } catch {
    return false;
  } finally {
    await send('DELETE', place, { query: { propagationPolicy: 'Background' } }).catch(() => undefined);
  }
}
