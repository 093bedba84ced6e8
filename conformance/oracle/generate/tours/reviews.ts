import { base64, signingRequestPem } from '../../../../fixtures/certificates.ts';
import type { Json } from '../../../verbs/client.ts';
import { merged } from '../../play/request.ts';
import type { Scenario, StepHeaders } from '../../play/scenario.ts';
import { objectOf } from '../../samples/objects.ts';
import { accepts, type Form, inForm } from '../forms.ts';
import { dryBeside, type KindStory, Story } from '../story.ts';

const forms = ['json', 'yaml', 'protobuf', 'table', 'metadata'] as const satisfies readonly Form[];

/** Somebody with more than one of everything. */
const somebody = {
  ...{ user: '<own>-user', uid: 'some', groups: ['<own>-one', '<own>-two'] },
  extra: { scopes: ['read', 'write', ''], 'acme.example/project': ['some'], none: [] },
};
const object = {
  ...{ namespace: '<own>-1', verb: 'get', group: 'apps', version: 'v1' },
  ...{ resource: 'deployments', subresource: 'status', name: 'some' },
};
const path = { path: '/healthz/ping', verb: 'get' };

/** Too much of it, or too little, of whatever is asked. */
const oddly: readonly Json[] = [
  { resourceAttributes: object, nonResourceAttributes: path },
  { resourceAttributes: null, nonResourceAttributes: null },
  { nonResourceAttributes: path, resourceAttributes: null },
  { user: null, groups: null },
  { user: null },
  { resourceAttributes: { ...object, namespace: null } },
  { resourceAttributes: { ...object, namespace: 'default' } },
  { resourceAttributes: {} },
  { token: '' },
  { token: null },
  { audiences: [] },
];

const authorization = '/apis/authorization.k8s.io/v1';
const authentication = '/apis/authentication.k8s.io/v1';

/** What is asked, with every member that there is. */
const questions: readonly (readonly [string, string, Json])[] = [
  ['SubjectAccessReview', authorization, { ...somebody, resourceAttributes: object }],
  ['SubjectAccessReview', authorization, { ...somebody, nonResourceAttributes: path }],
  ['SelfSubjectAccessReview', authorization, { resourceAttributes: object }],
  ['LocalSubjectAccessReview', `${authorization}/namespaces/<own>-1`, { ...somebody, resourceAttributes: object }],
  ['TokenReview', authentication, { token: 'none', audiences: ['one', 'two'] }],
];

/** Questions that are answered and not kept: in each form, and sent again as they came. */
function asked(): Scenario {
  const story = new Story();
  for (const [kind, base, spec] of questions) {
    const apiVersion = base.split('/').slice(2, 4).join('/');
    const to = `${base}/${kind.toLowerCase()}s`;
    const json = { apiVersion, kind, spec };
    const ask = (form: Form, parts: { readonly body: Json } = { body: { json } }): string =>
      story.add(`create ${kind.toLowerCase()}s ${form}`, 'POST', to, { ...parts, ...inForm(form) });
    for (const form of forms) ask(form);
    for (const odd of oddly) ask('json', { body: { json: { ...json, spec: merged(spec, odd) } } });
    ask('json', { body: { yaml: json } });
    ask('json', { body: { bytesOf: ask('protobuf') } });
  }
  for (const spec of [undefined, {}, { namespace: '' }])
    story.add('create selfsubjectrulesreviews', 'POST', `${authorization}/selfsubjectrulesreviews`, {
      body: { json: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec } },
    });
  return story.scenario('questions in every form', 'sequences', 1);
}

const callers: readonly StepHeaders[] = [
  { 'impersonate-user': '<own>-one' },
  {
    ...{ 'impersonate-user': '<own>-two', 'impersonate-uid': 'some' },
    'impersonate-extra-scopes': ['read', 'write', 'read'],
    'impersonate-extra-acme.example%2fproject': ['some', 'other'],
  },
];

/** What a request tells of its author, in each form. */
export function authors(at: KindStory): void {
  const chosen = { query: { labelSelector: 'app=<own>' } };
  for (const [number, caller] of callers.entries()) {
    const headers = { ...caller, 'impersonate-group': ['system:masters', '<own>-one', '<own>-two'] };
    const word = `a${number}`;
    at.create(objectOf(at.kind, word), { headers });
    at.create(objectOf(at.kind, word), { headers: { ...headers, accept: accepts.protobuf }, query: { dryRun: 'All' } });
    for (const form of forms) at.get(word, { ...inForm(form), alongside: true });
    at.put(word, { bytesOf: at.get(word, inForm('protobuf')) }, { headers });
    at.patch(word, 'merge', { spec: { extra: { scopes: ['other'] }, groups: ['other'] } }, { headers });
    at.get(word);
  }
  for (const form of ['json', 'yaml', 'protobuf'] as const) {
    at.list({ ...chosen, ...inForm(form), alongside: true });
    at.watch({ query: { ...chosen.query, resourceVersion: '0' }, ...inForm(form) });
  }
}

const label = 'CERTIFICATE REQUEST';

/** A request as others would write its block: by an older name, amid other text, with other line ends. */
const blocks: readonly string[] = [
  signingRequestPem.replaceAll(label, `NEW ${label}`),
  signingRequestPem.replaceAll(label, label.toLowerCase()),
  `to be signed\n${signingRequestPem}`,
  `${signingRequestPem}is to be signed\n`,
  ` ${signingRequestPem}`,
  signingRequestPem.trim(),
  signingRequestPem + signingRequestPem,
  signingRequestPem.replaceAll('\n', '\r\n'),
  signingRequestPem.replace('-----\n', '-----\nFrom: somebody\n\n'),
  signingRequestPem.replace('-----\n', '-----\n\n'),
  signingRequestPem.slice(0, signingRequestPem.indexOf('-----END')),
];

/** A request in every block, new and instead of one that is there. */
export function inBlocks(at: KindStory): void {
  const first = at.create(objectOf(at.kind, 'a'));
  for (const block of blocks) {
    const { spec, ...rest } = objectOf(at.kind, 'b');
    const other = { spec: { ...spec, request: base64(block) } };
    at.create({ ...rest, ...other }, dryBeside);
    at.put('a', { answerOf: first, merge: other }, dryBeside);
  }
}

export const reviewScenarios: readonly Scenario[] = [asked()];
