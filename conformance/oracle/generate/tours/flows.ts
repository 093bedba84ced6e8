import type { Json } from '../../../verbs/client.ts';
import { apiVersionOf } from '../../oracle-kind.ts';
import { ownLabels, type StepHeaders } from '../../play/scenario.ts';
import { objectOf } from '../../samples/objects.ts';
import type { KindStory } from '../story.ts';

const within = '/api/v1/namespaces/<own>-1';

/** Of every sort that rules tell apart: where, of what, by which verb, and what is no resource. */
const asked: readonly (readonly [method: string, path: string])[] = [
  ['GET', `${within}/configmaps`],
  ['GET', `${within}/configmaps/none`],
  ['DELETE', `${within}/configmaps/none`],
  ['GET', '/api/v1/namespaces/<own>-2/configmaps/none'],
  ['GET', '/api/v1/configmaps'],
  ['GET', '/api/v1/nodes'],
  ['GET', '/api/v1/nodes/none'],
  ['GET', '/api/v1/nodes/none/status'],
  ['GET', `${within}/pods/none/status`],
  ['GET', within],
  ['GET', '/apis/apps/v1/namespaces/<own>-1/deployments'],
  ['GET', '/apis/none.example.com/v1/namespaces/<own>-1/things'],
  ['GET', '/healthz/ping'],
  ['GET', '/version'],
  ['HEAD', '/version'],
];

const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

/** What a schema may be for. Each is of somebody of its own, so that none stands in front of another. */
const rules: readonly Json[] = [
  { resourceRules: [{ ...everything, namespaces: ['*'] }] },
  { resourceRules: [{ ...everything, clusterScope: true }] },
  { resourceRules: [{ ...everything, namespaces: ['*'], clusterScope: true }] },
  { resourceRules: [{ ...everything, namespaces: ['none', '<own>-1'] }] },
  { resourceRules: [{ ...everything, verbs: ['list', 'delete'], namespaces: ['*'], clusterScope: true }] },
  {
    resourceRules: [{ ...everything, apiGroups: ['none.example.com', 'apps'], namespaces: ['*'], clusterScope: true }],
  },
  {
    resourceRules: [
      { ...everything, resources: ['none', 'nodes', 'pods/status'], namespaces: ['*'], clusterScope: true },
    ],
  },
  { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz/*'] }] },
  { nonResourceRules: [{ verbs: ['head', 'post'], nonResourceURLs: ['/none', '/version'] }] },
  { nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] },
];

const user = (name: string): Json => ({ kind: 'User', user: { name } });
const robots = { namespace: '<own>-1', name: '*' };

/** Of whom a schema may be, and who they are. */
const subjects: readonly (readonly [subject: Json, as: StepHeaders])[] = [
  [
    { kind: 'Group', group: { name: '<own>-some' } },
    { 'impersonate-user': '<own>-g', 'impersonate-group': '<own>-some' },
  ],
  [
    { kind: 'ServiceAccount', serviceAccount: { namespace: '<own>-2', name: 'robot' } },
    { 'impersonate-user': 'system:serviceaccount:<own>-2:robot' },
  ],
  [{ kind: 'ServiceAccount', serviceAccount: robots }, { 'impersonate-user': 'system:serviceaccount:<own>-1:any' }],
];

/** Whoever they are, where it is of nobody else's concern. */
const anybody: readonly (readonly [subject: Json, verb: string])[] = [
  [{ kind: 'Group', group: { name: '*' } }, 'get'],
  [user('*'), 'list'],
];

/** By which schema each request is let in. Nobody asked has any right: a refusal tells it as well. */
export function flows(at: KindStory): void {
  for (const [number, rule] of rules.entries()) {
    const name = `<own>-u${number}`;
    schemaOf(at, `u${number}`, { ...rule, subjects: [user('<own>-none'), user(name)] });
    tried(at, { 'impersonate-user': name });
  }
  for (const [number, [subject, as]] of subjects.entries()) {
    schemaOf(at, `s${number}`, { ...rules[2], subjects: [subject] });
    tried(at, as);
  }
  tried(at, { 'impersonate-user': 'system:serviceaccount:<own>-2:other' });
  tried(at, { 'impersonate-user': '<own>-nobody', 'impersonate-group': '<own>-others' });
  for (const [number, [subject, verb]] of anybody.entries()) {
    const resourceRules = [{ ...everything, verbs: [verb], namespaces: ['<own>-1'] }];
    schemaOf(at, `a${number}`, { resourceRules, subjects: [subject] });
    tried(at, { 'impersonate-user': '<own>-anybody' });
  }
}

/** One that is in effect: only then its server has something to say of it. */
function schemaOf(at: KindStory, word: string, rule: Json): void {
  const { metadata } = objectOf(at.kind, word);
  at.create({
    ...{ apiVersion: apiVersionOf(at.kind), kind: at.kind.kind, metadata: { ...metadata, labels: ownLabels } },
    spec: { priorityLevelConfiguration: { name: 'global-default' }, matchingPrecedence: 500, rules: [rule] },
  });
}

function tried(at: KindStory, headers: StepHeaders): void {
  for (const [method, path] of asked)
    at.story.add(`${method} by a flow`, method, path, {
      headers,
      query: method === 'DELETE' ? { dryRun: 'All' } : {},
      alongside: true,
    });
}
