import { sampleOf } from '../../../fixtures/objects.ts';
import type { Json } from '../../verbs/json.ts';
import { type KindPath, kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged } from './judged-kind.ts';

const kinds = [kindPaths.mutatingWebhooks, kindPaths.validatingWebhooks];

const [harmless] = sampleOf('ValidatingWebhookConfiguration', '', '').webhooks;
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };

/** Of a webhook that is otherwise sound, and behind one that is. */
const webhook = (parts: Json): Json => ({
  webhooks: [
    { ...harmless, name: 'first.touchstone.example' },
    { ...harmless, ...parts },
  ],
});
const rules = (parts: Json): Json => webhook({ rules: [rule, { ...rule, ...parts }] });
const at = (clientConfig: Json): Json => webhook({ clientConfig });
const service = (parts: Json): Json => at({ service: { namespace: 'a', name: 'b', ...parts } });
const resources = (...all: readonly string[]): Json => rules({ resources: all });

const lists = ['apiGroups', 'apiVersions', 'operations', 'resources'];

const refused: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(lists.map((list) => [`none of ${list}`, rules({ [list]: [] })])),
  ...Object.fromEntries(
    lists.slice(0, 3).map((list) => [`a star beside others of ${list}`, rules({ [list]: ['CREATE', '*'] })]),
  ),
  'an unknown operation': rules({ operations: ['CREATE', 'Update'] }),
  'no word of a version': rules({ apiVersions: ['v1', ''] }),
  'no word of a resource': resources('configmaps', ''),
  'an unknown scope': rules({ scope: 'Other' }),
  'a subresource beside all of its resource': resources('pods/*', 'pods/status'),
  'a subresource beside that of all': resources('*/status', 'pods/status'),
  'a resource beside everything': resources('*/*', 'pods'),
  'a resource beside all of them': resources('*', 'pods'),
  ...Object.fromEntries(
    ['', 'one', 'one.example', 'Not_A_Name.touchstone.example'].map((name) => [
      `the name "${name}"`,
      webhook({ name }),
    ]),
  ),
  'one name twice': webhook({ name: 'first.touchstone.example' }),
  'no word on side effects': webhook({ sideEffects: undefined }),
  'side effects': webhook({ sideEffects: 'Some' }),
  'no versions of reviews': webhook({ admissionReviewVersions: [] }),
  'unknown versions of reviews': webhook({ admissionReviewVersions: ['v9'] }),
  'one version of reviews twice': webhook({ admissionReviewVersions: ['v1', 'v1beta1', 'v1'] }),
  'a bad version of reviews': webhook({ admissionReviewVersions: ['v1', '1-'] }),
  'no time': webhook({ timeoutSeconds: 0 }),
  'more than half a minute': webhook({ timeoutSeconds: 31 }),
  'an unknown policy for failures': webhook({ failurePolicy: 'Other' }),
  'an unknown policy for what is equivalent': webhook({ matchPolicy: 'Other' }),
  'namespaces by no selector': webhook({
    namespaceSelector: { matchLabels: { ...harmless.namespaceSelector.matchLabels, 'Not A Key': 'a' } },
  }),
  'objects by no selector': webhook({ objectSelector: { matchExpressions: [{ key: 'a', operator: 'Other' }] } }),
  'no address': at({}),
  'two addresses': at({ url: 'https://a.example', service: { namespace: 'a', name: 'b' } }),
  ...Object.fromEntries(
    ['http://a.example', 'https://u@a.example', 'https://a.example?x', 'https://a.example#x', 'https:///x'].map(
      (url) => [`the address ${url}`, at({ url })],
    ),
  ),
  'a service without a name': service({ name: '' }),
  'a service in no namespace': service({ namespace: '' }),
  'a service at no port of the network': service({ port: 70_000 }),
  'a service at a path without a slash': service({ path: 'front' }),
  'a service at a path with nothing in it': service({ path: '/a//b' }),
  'a service at a bad path': service({ path: '/A_b' }),
};

const fitting: Readonly<Record<string, Json>> = {
  'half a minute': webhook({ timeoutSeconds: 30 }),
  'a service somewhere': service({ port: 8443, path: '/a/b/' }),
  'an address with a port and a path': at({ url: 'https://a.example:8443/b' }),
  'everything of a group': rules({ apiVersions: ['*'], operations: ['*'], resources: ['*', '*/status'], scope: '*' }),
  'every operation by its name': rules({ operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], scope: 'Namespaced' }),
  'every other word': webhook({ failurePolicy: 'Ignore', matchPolicy: 'Exact', sideEffects: 'NoneOnDryRun' }),
  'what is in no namespace': rules({ scope: 'Cluster' }),
  'versions that nobody knows yet': webhook({ admissionReviewVersions: ['v9', 'v1'] }),
};

/** Who writes a configuration is told of what could never be called, and of what could not be meant. */
export const unfitWebhooks: readonly JudgedKind[] = kinds.map((kind: KindPath) =>
  judged(kind, { refused, fitting, free: { 'another time': webhook({ timeoutSeconds: 1 }) } }),
);
