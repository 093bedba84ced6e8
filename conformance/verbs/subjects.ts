import type { Capability } from '../capability.ts';
import type { Json } from './client.ts';
import type { Collection, View } from './collection.ts';
import type { RuleContext } from './context.ts';
import { leasedType } from './custom-types.ts';
import { grants, podEdges, routes, slices } from './edges.ts';
import type { KindName } from './kinds.ts';
import { kindPaths } from './kinds.ts';
import { preparePods } from './pods.ts';

/** A kind as general rules range over it: what they have to know to try anything on its objects. */
export interface Subject {
  /** As in paths; custom types have a word of their own. */
  readonly name: string;
  readonly namespaced: boolean;
  readonly custom: boolean;
  readonly needs: readonly Capability[];
  /** A merge patch of what the object is about, another one for each number from 1; none where only metadata changes. */
  readonly change?: (round: number) => Json;
  /** Parts that a careless reader loses: false, zero, empty texts, more than 32 bits, and the second of a list. */
  readonly edges: Json;
  /** A merge patch of the status, through its subresource. */
  readonly status?: (round: number) => Json;
  /** Objects may own others, so that a delete may be told what becomes of those. */
  readonly owns: boolean;
  /** More than the request is needed to remove an object. */
  readonly lingers: boolean;
  /** The stock controllers write to its objects as well, so that versions grow on their own. */
  readonly busy: boolean;
  /** Others have objects of the kind in the same place: cluster-scoped ones, and those that controllers make. */
  readonly crowded: boolean;
  /** The objects, with all in place that they need; those of a cluster-scoped kind are marked as the cell's. */
  readonly open: (context: RuleContext) => Promise<Collection>;
}

interface SubjectParts
  extends Partial<Pick<Subject, 'change' | 'edges' | 'status' | 'owns' | 'lingers' | 'busy' | 'needs' | 'crowded'>> {
  readonly base?: Json;
  readonly prepare?: (context: RuleContext) => Promise<void>;
}

/** Every cell has a mark of its own, by which views select its objects. */
const marked = (objects: Collection, { unique }: RuleContext, crowded: boolean, base: Json = {}): Collection =>
  objects.with({ base, mark: unique('cell'), crowded }).viewed('namespace');

function subject(kind: KindName, { base, prepare, ...parts }: SubjectParts = {}): Subject {
  const { resource, namespaced } = kindPaths[kind];
  return {
    owns: true,
    lingers: false,
    busy: false,
    needs: [],
    edges: {},
    crowded: !namespaced,
    ...parts,
    name: resource,
    namespaced,
    custom: false,
    async open(context) {
      await prepare?.(context);
      return marked(context[kind], context, parts.crowded ?? !namespaced, base);
    },
  };
}

const customSubject = (name: string, scope: 'Namespaced' | 'Cluster'): Subject => ({
  name,
  namespaced: scope === 'Namespaced',
  custom: true,
  needs: ['crd'],
  change: (round) => ({ spec: { size: round } }),
  edges: { spec: { size: 0, flag: false, note: '', marks: ['', 'a'], set: [], words: { a: '' } } },
  status: (round) => ({ status: { ready: round } }),
  owns: true,
  lingers: false,
  busy: false,
  crowded: scope === 'Cluster',
  open: async (context) =>
    marked(await leasedType(context, scope), context, scope === 'Cluster', { spec: { size: 0 } }),
});

const data = (round: number): Json => ({ data: { round: `r${String(round).padStart(3, '0')}` } });
const rules = (round: number): Json => ({
  rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: [`map-${round}`], verbs: ['get'] }],
});
const labels = (round: number): Json => ({ metadata: { labels: { round: `r${round}` } } });
const loadBalancer = (round: number): Json => ({ status: { loadBalancer: { ingress: [{ ip: `10.9.8.${round}` }] } } });
const seconds = (round: number): string => `2024-05-06T07:08:${String(round).padStart(2, '0')}.000000Z`;
const condition = (type: string, round: number, more: Json = {}): Json => ({
  status: { conditions: [{ type, status: 'True', reason: `Round${round}`, message: `round ${round}`, ...more }] },
});

/** What the server fills in with the present time where it is left out: the same write would be another one later. */
const given = { lastUpdateTime: '2024-05-06T07:08:09Z', lastTransitionTime: '2024-05-06T07:08:09Z' };

/** The kinds that general rules range over, by resource. */
export const subjects = {
  secrets: subject('secrets', { change: data, edges: { immutable: false, data: { empty: '', a: 'aaaa' } } }),
  configMaps: subject('configMaps', {
    change: data,
    crowded: true,
    edges: { immutable: false, data: { empty: '' }, binaryData: { none: '', a: 'aaaa' } },
  }),
  services: subject('services', {
    change: (round) => ({ spec: { selector: { app: `front-${round}` } } }),
    edges: { spec: { selector: { app: '' } } },
    status: (round) => condition('example.com/Judged', round, { lastTransitionTime: given.lastTransitionTime }),
  }),
  serviceAccounts: subject('serviceAccounts', {
    change: (round) => ({ imagePullSecrets: [{ name: `pull-${round}` }] }),
    edges: { automountServiceAccountToken: false },
    crowded: true,
  }),
  pods: subject('pods', {
    needs: ['pods'],
    base: { spec: { schedulerName: 'touchstone.example/nobody' } },
    prepare: preparePods,
    change: (round) => ({ spec: { activeDeadlineSeconds: 100_000 - round } }),
    edges: { spec: podEdges },
    status: (round) => condition('example.com/Judged', round),
  }),
  persistentVolumes: subject('persistentVolumes', {
    base: { spec: { storageClassName: 'touchstone-nobody' } },
    change: (round) => ({ spec: { capacity: { storage: `${round + 1}Gi` } } }),
    lingers: true,
    busy: true,
  }),
  namespaces: subject('namespaces', { lingers: true }),
  deployments: subject('deployments', {
    base: { spec: { paused: true, replicas: 0 } },
    change: (round) => ({ spec: { minReadySeconds: round } }),
    edges: {
      spec: { replicas: 0, revisionHistoryLimit: 0, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
    },
    status: (round) => condition('example.com/Judged', round),
    busy: true,
  }),
  jobs: subject('jobs', {
    base: { spec: { suspend: true } },
    change: (round) => ({ spec: { parallelism: round + 1 } }),
    edges: {
      spec: {
        backoffLimit: 0,
        parallelism: 0,
        ttlSecondsAfterFinished: 0,
        activeDeadlineSeconds: 5_000_000_000,
        template: { spec: podEdges },
      },
    },
    status: (round) => condition('example.com/Judged', round),
    busy: true,
  }),
  leases: subject('leases', {
    change: (round) => ({ spec: { holderIdentity: `holder-${round}` } }),
    // Before the time from which seconds are counted.
    edges: { spec: { leaseTransitions: 0, holderIdentity: '', acquireTime: '1969-12-31T23:59:58.500000Z' } },
  }),
  roles: subject('roles', { change: rules, edges: grants }),
  clusterRoles: subject('clusterRoles', { change: rules, edges: grants }),
  endpointSlices: subject('endpointSlices', {
    change: (round) => ({ endpoints: [{ addresses: [`10.1.2.${round}`], conditions: { ready: true } }] }),
    edges: slices,
    crowded: true,
  }),
  ingresses: subject('ingresses', {
    change: (round) => ({ spec: { defaultBackend: { service: { name: `front-${round}`, port: { number: 80 } } } } }),
    edges: routes,
    status: loadBalancer,
  }),
  ingressClasses: subject('ingressClasses', {
    change: (round) => ({ spec: { parameters: { name: `front-${round}`, apiGroup: 'example.com', kind: 'Front' } } }),
  }),
  events: subject('events', {
    change: (round) => ({ series: { count: round + 1, lastObservedTime: seconds(round) } }),
    owns: false,
    crowded: true,
  }),
  signingRequests: subject('signingRequests', {
    status: (round) => condition('example.com/Judged', round, given),
  }),
  priorityClasses: subject('priorityClasses', {
    change: (round) => ({ description: `round ${round}` }),
    edges: { value: -7, preemptionPolicy: 'Never' },
  }),
  widgets: customSubject('widgets', 'Namespaced'),
  gadgets: customSubject('gadgets', 'Cluster'),
} as const satisfies Record<string, Subject>;

/** One namespaced and one cluster-scoped kind of the core group, of two others, and of custom types; the second document's seven. */
export const generalKinds: readonly Subject[] = Object.values(subjects);

const nobody = { matchLabels: { app: 'nobody' } };
const containers = [{ name: 'main', image: 'registry.example/pause:1' }];
const pod = { spec: { restartPolicy: 'Never', containers } };

/** What their objects keep is as it was, letter by letter: its keys are in order, as whoever patches it writes them. */
export const revisions: Subject = subject('controllerRevisions', {
  base: { revision: 1, data: { spec: { a: 'b' } } },
  crowded: true,
  edges: { data: { spec: { list: [{}, [], ''], no: false, none: '', part: 1.5, words: { a: 'ä ✓' }, zero: 0 } } },
});

/** Kinds of which the documents say no more than of all: what a verb means is tried on them as well, in a plain way. */
export const furtherKinds: readonly Subject[] = [
  subject('networkPolicies', { base: { spec: { podSelector: nobody } } }),
  subject('roleBindings'),
  subject('clusterRoleBindings'),
  subject('storageClasses', { base: { provisioner: 'touchstone.example/nobody' } }),
  subject('runtimeClasses'),
  subject('statefulSets', { base: { spec: { replicas: 0 } }, busy: true }),
  subject('replicaSets', { base: { spec: { replicas: 0 } }, busy: true }),
  subject('cronJobs', {
    base: { spec: { suspend: true, schedule: '0 0 1 1 *', jobTemplate: { spec: { template: pod } } } },
    busy: true,
  }),
  subject('horizontalPodAutoscalers', {
    base: { spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nobody' } } },
    busy: true,
  }),
  subject('podTemplates', { base: { template: { metadata: { labels: { app: 'nobody' } }, spec: { containers } } } }),
  // Of what no other cell in its namespace makes.
  subject('limitRanges', { base: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Pi' } }] } } }),
  // Claims stay until what protects them has let go, which may be never. Of no volume's class: else they would be bound.
  subject('persistentVolumeClaims', {
    base: { spec: { storageClassName: 'touchstone-no-volume' } },
    lingers: true,
    busy: true,
  }),
  subject('replicationControllers', { busy: true }),
  subject('csiDrivers'),
  subject('csiStorageCapacities'),
  // Without rules it is for nobody; the server itself says in its status whether the level is there.
  subject('flowSchemas', { base: { spec: { priorityLevelConfiguration: { name: 'catch-all' } } }, busy: true }),
  subject('validatingWebhooks'),
  subject('mutatingWebhooks'),
  revisions,
];

export const allKinds: readonly Subject[] = [...generalKinds, ...furtherKinds];

/** Some of them, by resource. */
export const named = (...names: readonly string[]): readonly Subject[] =>
  names.map((name) => {
    const found = generalKinds.find((kind) => kind.name === name);
    if (!found) throw new Error(`no general kind is called ${name}`);
    return found;
  });

/** One kind of each scope, and a custom type: to wait for a second with all of them would take long. */
export const patientKinds = named('secrets', 'clusterroles', 'widgets');

/** Those that the server itself and nobody else writes to. */
export const quietKinds = generalKinds.filter(({ busy }) => !busy);

/** Those whose objects are gone once a delete is answered. */
export const removableKinds = generalKinds.filter(({ lingers }) => !lingers);

/** Those that nobody else changes, and that are gone when they are deleted. */
export const plainKinds = quietKinds.filter(({ lingers }) => !lingers);

/** Those of the server itself, which have a form in protobuf. */
export const builtInKinds = generalKinds.filter(({ custom }) => !custom);

/** The change of a kind, or of its labels where there is nothing else to change. */
export const changeOf = ({ change = labels }: Subject, round: number): Json => change(round);

/** How general rules about lists and watches see a kind; the first is the plain one. */
export const views: readonly View[] = ['namespace', 'labels', 'everywhere', 'fields'];
/** What a watch promises holds over whatever it is sent. */
export const watchViews: readonly View[] = [...views, 'WebSocket'];

const seenFromEverywhere = ['secrets', 'ingresses', 'jobs', 'widgets'];
const seenOverSockets = ['secrets', 'ingresses', 'clusterroles', 'widgets', 'gadgets'];

/** Each kind in its own view, some kinds in all views; those that others have too only by label. */
export const seen = ({ kind, view }: { readonly kind: Subject; readonly view: View }): boolean =>
  view === 'WebSocket'
    ? seenOverSockets.includes(kind.name)
    : kind.crowded
      ? view === 'labels'
      : view === 'namespace' || seenFromEverywhere.includes(kind.name);

/** A change and back to other values, in words that a merge patch understands. */
export const marking = (value: string): Json => ({ metadata: { annotations: { 'example.com/round': value } } });
