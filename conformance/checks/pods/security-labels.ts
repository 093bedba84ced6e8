import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { image, preparePods } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';

const prefix = 'pod-security.kubernetes.io/';
const dry = { dryRun: 'All' };

type Labels = Readonly<Record<string, string>>;

const labels = (said: Labels): Json => ({
  metadata: { labels: Object.fromEntries(Object.entries(said).map(([mode, value]) => [prefix + mode, value])) },
});

/** What no namespace may ask for. */
const unfit: readonly Labels[] = [
  ...['enforce', 'audit', 'warn'].map((mode) => ({ [mode]: 'strict' })),
  ...['enforce', 'audit', 'warn'].map((mode) => ({ [`${mode}-version`]: '1.24' })),
  ...[{ enforce: '' }, { warn: 'Baseline' }, { 'warn-version': 'v2.0' }, { 'enforce-version': 'newest' }],
];

const fitting: readonly Labels[] = [
  { warn: 'restricted', 'warn-version': 'latest' },
  { audit: 'baseline', 'audit-version': 'v1.24' },
  { 'enforce-version': 'v1.0' },
];

const container = { name: 'main', image };
const shared = { hostPID: true };
/** What the standard asked for until v1.18, and no more than that. */
const older = {
  containers: [{ ...container, securityContext: { allowPrivilegeEscalation: false } }],
  securityContext: { runAsNonRoot: true },
};

/** What a namespace has somebody warned of, a pod, and how a warning of it begins; without one nobody is warned. */
const warned: readonly (readonly [Labels, Json, string?])[] = [
  [{ warn: 'baseline', 'warn-version': 'latest' }, shared, 'would violate PodSecurity "baseline:latest": '],
  [{ warn: 'baseline', 'warn-version': 'v1.24' }, shared, 'would violate PodSecurity "baseline:v1.24": '],
  [{ warn: 'baseline', 'warn-version': 'v1.24' }, {}],
  [{ warn: 'restricted', 'warn-version': 'v1.19' }, older, 'would violate PodSecurity "restricted:v1.19": '],
  [{ warn: 'restricted', 'warn-version': 'v1.18' }, older],
];

/** What an answer warns of that has to do with the standards. */
const warnings = ({ all }: Answer): string =>
  all('warning')
    .filter((line) => line.includes('PodSecurity'))
    .join()
    .replaceAll('\\"', '"');

/** What makes pods, by its resource, with a template of these. */
function makers(context: RuleContext, place: string, spec: Json): readonly (readonly [Collection, Json])[] {
  const metadata = { labels: { app: 'judged' } };
  const template = { metadata, spec: { containers: [container], ...spec } };
  const ending = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
  const selecting = { selector: { matchLabels: metadata.labels }, template };
  const scheduled = { schedule: '@daily', jobTemplate: { spec: { template: ending } } };
  const { deployments, daemonSets, statefulSets, replicaSets } = context;
  const all: readonly (readonly [Collection, Json])[] = [
    ...[deployments, daemonSets, statefulSets, replicaSets].map((kind) => [kind, { spec: selecting }] as const),
    [context.replicationControllers, { spec: { selector: metadata.labels, template } }],
    [context.jobs, { spec: { template: ending } }],
    [context.cronJobs, { spec: scheduled }],
    [context.podTemplates, { template }],
  ];
  return all.map(([kind, parts]) => [kind.in(place), parts]);
}

/** Who asks for a pod that the namespace has somebody warned of is told so, and gets it. */
async function warnsOfPods(context: RuleContext, place: string): Promise<void> {
  const { namespaces, waitUntil, expect } = context;
  const pods = context.pods.in(place);
  const told = async (spec: Json): Promise<string> => {
    const answer = await pods.post(pods.sample({ spec }), dry);
    expect(answer.status, 'a pod of which somebody is warned').toBe(201);
    return warnings(answer);
  };
  for (const [said, spec, beginning] of warned) {
    await namespaces.merge(place, labels(said));
    const what = `${JSON.stringify(said)} warns of ${JSON.stringify(spec)}`;
    await waitUntil(
      `${what}: ${beginning ?? 'not at all'}`,
      () => told(spec),
      (text) => (beginning === undefined ? text === '' : text.includes(beginning)),
    );
  }
  await namespaces.merge(place, labels({ warn: 'baseline', 'warn-version': 'latest' }));
  await waitUntil('the namespace warns again', () => told(shared), Boolean);
}

/** And so is who asks for what makes such pods, in a namespace that warns of them. */
async function warnsOfTemplates(context: RuleContext, place: string): Promise<void> {
  const { allHeard, expect } = context;
  await allHeard();
  for (const [kind, parts] of makers(context, place, shared)) {
    const answer = await kind.post(kind.sample(parts), dry);
    expect(answer.status, `${kind.at.resource}: ${said(answer)}`).toBe(201);
    expect(warnings(answer), `a template of ${kind.at.resource}`).toContain(
      'would violate PodSecurity "baseline:latest"',
    );
  }
}

/**
 * PodSecurity: by labels a namespace asks for a standard and a version of it, and for warnings. Labels that ask for nothing
 * known are not taken.
 */
export async function readsSecurityLabels(context: RuleContext): Promise<void> {
  const { namespaces, serviceAccounts, extraNamespace, waitUntil, expect } = context;
  const place = await extraNamespace();
  await preparePods({ serviceAccounts: serviceAccounts.in(place) });
  // Where nothing is said, a cluster may have a standard of its own.
  await namespaces.merge(place, labels({ enforce: 'privileged' }));
  const pods = context.pods.in(place);
  const taken = async () => (await pods.post(pods.sample({ spec: shared }), dry)).status;
  await waitUntil('every pod is taken', taken, (status) => status === 201);
  const tried = async (said: Labels): Promise<number> =>
    (await namespaces.patch(place, labels(said), { query: dry })).status;
  for (const said of unfit) expect([403, 422], JSON.stringify(said)).toContain(await tried(said));
  for (const said of fitting) expect(await tried(said), JSON.stringify(said)).toBe(200);
  await warnsOfPods(context, place);
  await warnsOfTemplates(context, place);
  await pods.create({ spec: { ...shared, schedulerName: 'touchstone.example/nobody' } });
  await waitUntil(
    'who narrows the standard is warned of the pods that are there',
    async () => warnings(await namespaces.patch(place, labels({ enforce: 'baseline' }), { query: dry })),
    (text) => text.includes(`existing pods in namespace "${place}" violate the new PodSecurity enforce level`),
  );
}
