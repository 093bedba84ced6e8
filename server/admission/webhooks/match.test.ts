import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../base/kube-object.ts';
import { StatusError } from '../../base/status-error.ts';
import type { Webhook } from '../../kinds/admissionregistration/webhook-shape.ts';
import { kindsFor } from '../../kinds/index.ts';
import { builtIns, Resources } from '../../registry/resources.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { compileConfiguration } from './compiled-webhook.ts';
import { RequestMatcher } from './match.ts';
import type { WebhookClient } from './webhook-client.ts';

const resources = new Resources(builtIns(kindsFor()));
const namespaces: Readonly<Record<string, Record<string, string>>> = { red: { team: 'red' }, plain: {} };
const lookup = {
  get: async (_group: string, _resource: string, _namespace: string, name: string) => {
    const labels = namespaces[name];
    return labels && ({ kind: 'Namespace', apiVersion: 'v1', metadata: { name, labels } } as KubeObject);
  },
  list: async () => [],
};

function webhook(more: Partial<Webhook>) {
  const all = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
  const [compiled] = compileConfiguration(
    { kind: '', apiVersion: '', metadata: { name: 'c' }, webhooks: [{ name: 'w', rules: [all], ...more }] },
    () => ({}) as WebhookClient,
  );
  if (!compiled) throw new Error('nothing was compiled');
  return compiled;
}

const labelled = (labels?: Record<string, string>) =>
  ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'o', ...(labels && { labels }) } }) as KubeObject;

function attributes(more: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  return {
    operation: 'UPDATE',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    subresource: '',
    namespace: 'plain',
    name: 'o',
    user: { name: 'u', uid: '', groups: [], extra: {} },
    dryRun: false,
    options: () => undefined,
    object: labelled(),
    oldObject: undefined,
    warn() {},
    annotate() {},
    onAbandon() {},
    ...more,
  };
}

const matches = async (hook: Partial<Webhook>, request: Partial<AdmissionAttributes>) =>
  new RequestMatcher(attributes(request), { resources, lookup }).match(webhook(hook), 0);

describe('objectSelector', () => {
  const gold = { objectSelector: { matchLabels: { tier: 'gold' } } };
  const missing = { objectSelector: { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] } };
  const [yes, no] = [labelled({ tier: 'gold' }), labelled()];
  const bare = { kind: 'PodExecOptions', apiVersion: 'v1' } as unknown as KubeObject;

  it.each<[string, Partial<Webhook>, KubeObject | undefined, KubeObject | undefined, boolean]>([
    ['looks at the new object', gold, yes, no, true],
    ['looks at the old object', gold, no, yes, true],
    ['needs one of them', gold, no, no, false],
    ['finds no labels on an object that is not there', missing, undefined, yes, false],
    ['may ask for a label to be missing', missing, no, undefined, true],
    ['never fits a type without labels', missing, bare, undefined, false],
    ['that is empty fits every type', {}, bare, undefined, true],
  ])('%s', async (_, hook, object, oldObject, expected) => {
    expect((await matches(hook, { object, oldObject })) !== undefined).toBe(expected);
  });
});

describe('namespaceSelector', () => {
  const red = { namespaceSelector: { matchLabels: { team: 'red' } } };
  const namespaceResource = { resource: { group: '', version: 'v1', resource: 'namespaces' } };
  const cluster = { resource: { group: '', version: 'v1', resource: 'nodes' }, namespace: '' };

  it.each<[string, Partial<AdmissionAttributes>, boolean]>([
    ['looks at the labels of the namespace', { namespace: 'red' }, true],
    ['leaves out other namespaces', { namespace: 'plain' }, false],
    ['has no say about cluster-scoped objects', cluster, true],
    [
      'sees the new labels of a Namespace that is written',
      { ...namespaceResource, namespace: 'plain', object: labelled({ team: 'red' }) },
      true,
    ],
    [
      'sees the stored labels of a Namespace that is deleted',
      { ...namespaceResource, namespace: 'red', operation: 'DELETE', object: undefined },
      true,
    ],
    [
      'sees the stored labels of a Namespace whose status is written',
      { ...namespaceResource, namespace: 'red', subresource: 'status' },
      true,
    ],
  ])('%s', async (_, request, expected) => {
    expect((await matches(red, request)) !== undefined).toBe(expected);
  });

  it('of a namespace that is gone is a 404', async () => {
    await expect(matches(red, { namespace: 'gone' })).rejects.toThrow(StatusError);
  });
});

describe('matchPolicy', () => {
  const rules = [
    { operations: ['*'], apiGroups: ['autoscaling'], apiVersions: ['v2'], resources: ['horizontalpodautoscalers'] },
  ];
  const request = (version: string) => ({
    resource: { group: 'autoscaling', version, resource: 'horizontalpodautoscalers' },
    kind: { group: 'autoscaling', version, kind: 'HorizontalPodAutoscaler' },
  });

  it('Equivalent finds the version of the rule', async () => {
    expect((await matches({ rules }, request('v1')))?.as?.served.apiVersion).toBe('autoscaling/v2');
    expect(await matches({ rules }, request('v2'))).toEqual(expect.not.objectContaining({ as: expect.anything() }));
  });

  it('Exact does not', async () => {
    expect(await matches({ rules, matchPolicy: 'Exact' }, request('v1'))).toBeUndefined();
    expect(await matches({ rules, matchPolicy: 'Exact' }, request('v2'))).toBeDefined();
  });

  it('Equivalent finds another group that shows the same objects', async () => {
    const events = [{ operations: ['*'], apiGroups: ['events.k8s.io'], apiVersions: ['v1'], resources: ['events'] }];
    const core = {
      resource: { group: '', version: 'v1', resource: 'events' },
      kind: { group: '', version: 'v1', kind: 'Event' },
    };
    expect((await matches({ rules: events }, core))?.as?.group).toBe('events.k8s.io');
  });

  it('Equivalent prefers the earlier rule', async () => {
    const many = [
      { ...rules[0], apiVersions: ['v2beta2'] },
      { ...rules[0], apiVersions: ['v2'] },
    ];
    const found = await matches({ rules: many }, request('v1'));
    expect(found?.as?.served.version).toBe(
      resources.find('autoscaling', 'v2beta2', 'horizontalpodautoscalers') ? 'v2beta2' : 'v2',
    );
  });
});
