import type { Json } from '../../../verbs/client.ts';
import { objectOf } from '../../samples/objects.ts';
import { accepts } from '../forms.ts';
import type { KindStory } from '../story.ts';
import { deleteOptions } from './life.ts';

const eviction = (name: string, version: string, more: Json = {}): Json => ({
  apiVersion: `policy/${version}`,
  kind: 'Eviction',
  metadata: { name, namespace: '<own>-1' },
  ...more,
});

const binding = (node: string): Json => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name: 'a' },
  target: { kind: 'Node', name: node },
});

type Add = (word: string, sub: string, json: Json, query?: Record<string, string>) => string;

/** A Pod is bound and evicted, with and without a budget that minds. */
export function podActions(at: KindStory): void {
  const add: Add = (word, sub, json, query) => {
    const what = `create pods/${sub}${query ? ' dry' : ''}`;
    return at.story.add(what, 'POST', at.item(word, sub), { body: { json }, ...(query ? { query } : {}) });
  };
  at.create(objectOf(at.kind, 'a'));
  at.create(objectOf(at.kind, 'b'));
  add('a', 'binding', binding('nobody'), { dryRun: 'All' });
  at.get('a');
  add('a', 'binding', binding('nobody'));
  at.get('a');
  add('a', 'binding', binding('else'));
  add('b', 'eviction', eviction('b', 'v1', { deleteOptions: deleteOptions({ dryRun: ['All'] }) }));
  at.get('b');
  add('b', 'eviction', eviction('b', 'v1'), { dryRun: 'All' });
  at.get('b');
  add('b', 'eviction', eviction('b', 'v1', { deleteOptions: deleteOptions({ preconditions: { uid: 'none' } }) }));
  add('b', 'eviction', eviction('other', 'v1'));
  budgeted(at, add);
  at.get('a', { headers: { accept: accepts.json } }, 'log');
}

const budgets = '/apis/policy/v1/namespaces/<own>-1/poddisruptionbudgets';
const budget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'keep' },
  spec: { maxUnavailable: 0, selector: {} },
};

function budgeted(at: KindStory, add: Add): void {
  at.story.add('create a budget', 'POST', budgets, { body: { json: budget } });
  add('b', 'eviction', eviction('b', 'v1'));
  add('a', 'eviction', eviction('a', 'v1beta1'));
  at.story.add('delete a budget', 'DELETE', `${budgets}/keep`);
  add('b', 'eviction', eviction('b', 'v1', { deleteOptions: deleteOptions({ gracePeriodSeconds: 0 }) }));
  at.get('b');
  add('b', 'eviction', eviction('b', 'v1'));
}

const tokenRequests: readonly Json[] = [
  { expirationSeconds: 10 },
  { audiences: ['else'] },
  { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'none' } },
  { boundObjectRef: { kind: 'Thing', apiVersion: 'v1', name: 'none' } },
];

/** Tokens are made for who exists, rehearsed too, and work for their bearer. */
export function tokenActions(at: KindStory): void {
  const ask = (word: string, spec: Json, query?: Record<string, string>): string =>
    at.story.add('create serviceaccounts/token', 'POST', at.item(word, 'token'), {
      body: { json: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec } },
      ...(query ? { query } : {}),
    });
  at.create(objectOf(at.kind, 'a'));
  ask('a', {}, { dryRun: 'All' });
  const made = ask('a', { expirationSeconds: 3600 });
  for (const spec of tokenRequests) ask('a', spec);
  ask('b', {});
  at.get('a');
  borne(at, `<${made}:status.token>`);
}

const rulesReview = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectRulesReview',
  spec: { namespace: '<own>-1' },
};

/** What a token is worth while its account exists, and after. */
function borne(at: KindStory, token: string): void {
  const review = (spec: Json): string =>
    at.story.add('create tokenreviews', 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
      body: { json: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec } },
    });
  const bearer = { anonymous: true, headers: { authorization: `Bearer ${token}` } };
  for (const spec of [{ token }, { token, audiences: ['else'] }, { token: 'none' }]) review(spec);
  at.list(bearer, 1);
  at.story.add('who am I', 'POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
    ...bearer,
    body: { json: rulesReview },
  });
  at.delete('a');
  review({ token });
  at.list(bearer, 1);
}
