import type { Json } from '../../../verbs/client.ts';
import { mergePatchHeaders } from '../../../verbs/patch-types.ts';
import type { OracleKind } from '../../oracle-kind.ts';
import { answerKey, probeName } from '../../play/hooks.ts';
import { merged } from '../../play/request.ts';
import { ownLabels, type Step } from '../../play/scenario.ts';

interface HookParts {
  readonly operations?: readonly string[];
  readonly resources?: readonly string[];
  readonly groups?: readonly string[];
  readonly versions?: readonly string[];
  readonly scope?: string;
  /** Members of the webhook beside its rule. */
  readonly more?: Json;
}

const own = { matchLabels: { app: '<own>' } };
const inOwn = {
  matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['<own>-1', '<own>-2'] }],
};

/** What has no namespace passes every selector of namespaces: who asks for many kinds selects objects too. */
const ownAlone: Json = { objectSelector: own };

/** A webhook that hears of nothing but what the scenario makes. */
function hookOf({ namespaced, group, version, resource }: OracleKind, word: string, parts: HookParts): Json {
  const { operations = ['CREATE', 'UPDATE', 'DELETE'], resources = [resource], groups, versions, scope, more } = parts;
  return {
    name: `${word}.<own>.touchstone.example`,
    clientConfig: { url: `<hook-${word}:url>`, caBundle: `<hook-${word}:caBundle>` },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: 'Ignore',
    timeoutSeconds: 5,
    rules: [
      {
        ...{ operations, resources, apiGroups: groups ?? [group], apiVersions: versions ?? [version] },
        ...(scope ? { scope } : {}),
      },
    ],
    ...(namespaced ? { namespaceSelector: inOwn } : { objectSelector: own }),
    ...more,
  };
}

/** By it a scenario sees that its webhooks are in effect. */
const probeBy = (label: string): HookParts => ({
  operations: ['CREATE'],
  resources: ['configmaps'],
  groups: [''],
  versions: ['v1'],
  more: { objectSelector: { matchLabels: { app: '<own>', probe: label } } },
});
const probe = probeBy('yes');

/** Who is asked before, in this order, and of what. */
export function mutating({ group, version, resource, namespaced }: OracleKind): Readonly<Record<string, HookParts>> {
  const selected = namespaced ? own : { matchLabels: { ...own.matchLabels, hear: 'yes' } };
  return {
    again: { more: { reinvocationPolicy: 'IfNeeded' } },
    wide: { operations: ['*'], resources: ['*/*'], groups: ['*'], versions: ['*'], more: ownAlone },
    marked: { more: { objectSelector: { matchLabels: { ...selected.matchLabels, hear: 'yes' } } } },
    exact: { more: { matchPolicy: 'Exact' } },
    otherwise: {
      versions: ['v1', 'v1beta1', 'v2'].filter((other) => other !== version),
      resources: [resource, `${resource}/*`],
    },
    elsewhere: { scope: namespaced ? 'Cluster' : 'Namespaced' },
    here: { scope: namespaced ? 'Namespaced' : 'Cluster', resources: [`${resource}/*`] },
    ending: { operations: ['DELETE'] },
    strict: { more: { failurePolicy: 'Fail' } },
    former: {
      groups: [group, 'extensions', 'none.example.com'],
      resources: ['none', resource],
      versions: ['v1', 'v9'],
      more: { namespaceSelector: inOwn },
    },
    'probe-one': probe,
  };
}

/** Who is asked when nothing changes any more. */
export function validating({ resource, namespaced }: OracleKind): Readonly<Record<string, HookParts>> {
  const second = { matchLabels: { 'kubernetes.io/metadata.name': '<own>-2' } };
  return {
    seen: {},
    parts: { resources: [`${resource}/status`, `${resource}/scale`, 'pods/eviction', 'pods/binding'] },
    changing: { operations: ['UPDATE'], resources: ['*'], more: ownAlone },
    second: namespaced ? { more: { namespaceSelector: second } } : { operations: ['CREATE'], resources: ['*/status'] },
    firm: { more: { failurePolicy: 'Fail' } },
    // Says nothing of what has no namespace, but of a namespace by the labels that it is to have.
    labelled: { more: { namespaceSelector: { matchLabels: { hear: 'yes' } }, objectSelector: own } },
    'probe-two': probe,
  };
}

type Type = 'Mutating' | 'Validating';

/** The webhook of each by which it is seen that it is in effect. */
const probedBy = { Mutating: 'probe-one', Validating: 'probe-two' } as const;

/** What the configurations say in the end: most are asked no more, and of other things. */
const later: Readonly<Record<Type, Readonly<Record<string, HookParts>>>> = {
  Mutating: { again: { operations: ['UPDATE'] }, [probedBy.Mutating]: probeBy('later') },
  Validating: { seen: { operations: ['DELETE', 'UPDATE'] }, [probedBy.Validating]: probeBy('later') },
};

/** A change of a configuration, and a wait until it is in effect. */
export function reconfiguration(kind: OracleKind, type: Type, isGone: boolean): readonly Omit<Step, 'id'>[] {
  const { path, body } = configuration(kind, type, later[type]);
  const item = `${path}/<own>-${type.toLowerCase()}`;
  const what = `${type.toLowerCase()} webhooks`;
  const word = probedBy[type];
  if (isGone) return [{ what: `delete ${what}`, method: 'DELETE', path: item }, probeFor(word, 'later', 201)];
  const { webhooks } = (body as { json: Json }).json;
  const change = {
    what: `change ${what}`,
    method: 'PATCH',
    path: item,
    headers: mergePatchHeaders,
    body: { json: { webhooks } },
  };
  return [change, probeFor(word, 'later'), probeFor(word, 'yes', 201)];
}

export function configuration(kind: OracleKind, type: Type, hooks: Readonly<Record<string, HookParts>>): Step {
  const webhooks = Object.entries(hooks).map(([word, parts]) => hookOf(kind, word, parts));
  const apiVersion = 'admissionregistration.k8s.io/v1';
  return {
    id: type.toLowerCase(),
    what: `create ${type.toLowerCase()} webhooks`,
    method: 'POST',
    path: `/apis/${apiVersion}/${type.toLowerCase()}webhookconfigurations`,
    body: {
      json: {
        ...{ apiVersion, kind: `${type}WebhookConfiguration`, webhooks },
        metadata: { name: `<own>-${type.toLowerCase()}`, labels: ownLabels },
      },
    },
  };
}

/** An object with what each webhook answers. */
export const answers = (said: Readonly<Record<string, Json>>): Json => ({
  metadata: {
    annotations: Object.fromEntries(
      Object.entries(said).map(([word, answer]) => [answerKey(word), JSON.stringify(answer)]),
    ),
  },
});

/** No status that a server gives by itself. */
const refusal = 418;

/** Asked again until both configurations are in effect. */
export const probes: readonly Step[] = Object.values(probedBy).map((word) => probeFor(word, 'yes'));

/** Sent again until the webhook of that name is asked about what is labelled so, or with another status no more. */
function probeFor(word: string, label: string, awaits = refusal): Step {
  const metadata = { name: probeName, labels: { app: '<own>', probe: label } };
  const said = answers({ [word]: { allowed: false, status: { code: refusal } } });
  return {
    ...{ id: word, what: `probe ${word}`, method: 'POST', path: '/api/v1/namespaces/<own>-1/configmaps' },
    ...{
      query: { dryRun: 'All' },
      awaits,
      body: { json: merged({ apiVersion: 'v1', kind: 'ConfigMap', metadata }, said) },
    },
  };
}
