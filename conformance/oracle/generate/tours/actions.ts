import type { Json } from '../../../verbs/client.ts';
import { mergePatchHeaders } from '../../../verbs/patch-types.ts';
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

const binding = (pod: string, node: string, metadata: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name: pod, ...metadata },
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
  add('a', 'binding', binding('a', 'nobody'), { dryRun: 'All' });
  at.get('a');
  add('a', 'binding', binding('a', 'nobody'));
  at.get('a');
  add('a', 'binding', binding('a', 'else'));
  add('b', 'binding', binding('a', 'nobody'));
  add('b', 'eviction', eviction('b', 'v1', { deleteOptions: deleteOptions({ dryRun: ['All'] }) }));
  at.get('b');
  add('b', 'eviction', eviction('b', 'v1'), { dryRun: 'All' });
  at.get('b');
  add('b', 'eviction', eviction('b', 'v1', { deleteOptions: deleteOptions({ preconditions: { uid: 'none' } }) }));
  add('b', 'eviction', eviction('other', 'v1'));
  noted(at, add);
  budgeted(at, add);
  allowed(at, add);
  graceful(at, add);
  ending(at, add);
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
  add('b', 'eviction', eviction('b', 'v1'), { dryRun: 'All' });
  add('b', 'eviction', eviction('b', 'v1', { deleteOptions: deleteOptions({ dryRun: ['All'] }) }));
  add('b', 'eviction', eviction('b', 'v1'));
  add('a', 'eviction', eviction('a', 'v1beta1'));
  at.story.add('delete a budget', 'DELETE', `${budgets}/keep`);
  add('b', 'eviction', eviction('b', 'v1', { deleteOptions: deleteOptions({ gracePeriodSeconds: 0 }) }));
  at.get('b');
  add('b', 'eviction', eviction('b', 'v1'));
}

/** What a binding says beside its node. */
function noted(at: KindStory, add: Add): void {
  const pod = objectOf(at.kind, 'e');
  at.create({ ...pod, metadata: { ...pod.metadata, annotations: { mine: 'yes', both: 'mine' } } });
  const metadata = { labels: { its: 'yes' }, annotations: { its: 'yes', both: 'its' } };
  add('e', 'binding', binding('e', 'nobody', metadata), { dryRun: 'All' });
  add('e', 'binding', binding('e', 'nobody', metadata));
  at.get('e');
}

/** What a budget has left after each eviction of a Pod that runs, and after those that are rehearsed. */
function allowed(at: KindStory, add: Add): void {
  const condition = { type: 'Ready', status: 'True' };
  for (const word of ['f1', 'f2', 'f3']) {
    at.create(objectOf(at.kind, word));
    at.patch(word, 'merge', { status: { phase: 'Running', conditions: [condition] } }, {}, 'status');
  }
  const left = { metadata: { name: 'left' }, spec: { ...budget.spec, maxUnavailable: 2 } };
  at.story.add('create a budget', 'POST', budgets, { body: { json: { ...budget, ...left } } });
  at.story.add('tell a budget', 'PATCH', `${budgets}/left/status`, {
    body: {
      json: {
        status: { disruptionsAllowed: 2, currentHealthy: 3, desiredHealthy: 1, expectedPods: 3, observedGeneration: 1 },
      },
    },
    headers: mergePatchHeaders,
  });
  doubled(at, add);
  const look = (): string => at.story.add('get a budget', 'GET', `${budgets}/left`);
  add('f1', 'eviction', eviction('f1', 'v1'), { dryRun: 'All' });
  add('f1', 'eviction', eviction('f1', 'v1', { deleteOptions: deleteOptions({ dryRun: ['All'] }) }));
  look();
  for (const word of ['f1', 'f2', 'f3']) {
    add(word, 'eviction', eviction(word, 'v1'));
    look();
  }
  at.story.add('delete a budget', 'DELETE', `${budgets}/left`);
}

/** A Pod with two budgets. */
function doubled(at: KindStory, add: Add): void {
  const also = { ...budget, metadata: { name: 'also' } };
  at.story.add('create a budget', 'POST', budgets, { body: { json: also } });
  add('f1', 'eviction', eviction('f1', 'v1'), { dryRun: 'All' });
  add('f1', 'eviction', eviction('f1', 'v1'));
  at.story.add('delete a budget', 'DELETE', `${budgets}/also`);
}

/** A Pod on a node is given time to end, which may be cut short but not stretched. */
function graceful(at: KindStory, add: Add): void {
  at.create(objectOf(at.kind, 'c'));
  add('c', 'binding', binding('c', 'nobody'));
  at.delete('c', { query: { gracePeriodSeconds: '30', dryRun: 'All' } });
  for (const gracePeriodSeconds of [30, 60, 5])
    at.delete('c', { body: { json: deleteOptions({ gracePeriodSeconds }) } });
  at.patch('c', 'merge', { metadata: { labels: { late: 'yes' }, finalizers: ['touchstone.example/hold'] } });
  at.patch('c', 'merge', { spec: { terminationGracePeriodSeconds: 1 } });
  at.get('c');
  at.delete('c', { query: { gracePeriodSeconds: '0' } });
  heldBeside(at, add);
  at.create(objectOf(at.kind, 'd'));
  add('d', 'binding', binding('d', 'nobody'));
  at.delete('d');
  at.deleteAll({ query: { labelSelector: 'app=<own>', gracePeriodSeconds: '7' } });
  at.list({}, 1);
}

/** Who is held by somebody as well has its time all the same when that one lets go. */
function heldBeside(at: KindStory, add: Add): void {
  at.create(objectOf(at.kind, 'j'));
  add('j', 'binding', binding('j', 'nobody'));
  at.patch('j', 'merge', { metadata: { finalizers: ['touchstone.example/hold'] } });
  at.delete('j', { query: { gracePeriodSeconds: '30' } });
  at.patch('j', 'merge', { metadata: { finalizers: null } });
  at.get('j');
  at.delete('j', { query: { gracePeriodSeconds: '0' } });
  at.get('j');
}

/** Who has ended costs a budget nothing, who is going gets no node, and who is evicted has the time that this says. */
function ending(at: KindStory, add: Add): void {
  at.create(objectOf(at.kind, 'g'));
  at.patch('g', 'merge', { status: { phase: 'Succeeded' } }, {}, 'status');
  at.story.add('create a budget', 'POST', budgets, { body: { json: budget } });
  add('g', 'eviction', eviction('g', 'v1'));
  at.get('g');
  at.story.add('delete a budget', 'DELETE', `${budgets}/keep`);
  at.create(objectOf(at.kind, 'h'));
  at.patch('h', 'merge', { metadata: { finalizers: ['touchstone.example/hold'] } });
  at.delete('h');
  add('h', 'binding', binding('h', 'nobody'));
  at.patch('h', 'merge', { metadata: { finalizers: null } });
  at.create(objectOf(at.kind, 'i'));
  add('i', 'binding', binding('i', 'nobody'));
  add('i', 'eviction', eviction('i', 'v1', { deleteOptions: deleteOptions({ gracePeriodSeconds: 7 }) }));
  at.get('i');
  at.delete('i', { query: { gracePeriodSeconds: '0' } });
}

const tokenRequests: readonly Json[] = [
  ...[10, 60, 599, 600, 2 ** 32, 2 ** 32 + 1].map((expirationSeconds) => ({ expirationSeconds })),
  { audiences: ['else'] },
  { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'none' } },
  { boundObjectRef: { kind: 'Thing', apiVersion: 'v1', name: 'none' } },
];

type Ask = (word: string, spec: Json, query?: Record<string, string>) => string;

/** Tokens are made for who exists, rehearsed too, and work for their bearer. */
export function tokenActions(at: KindStory): void {
  const ask: Ask = (word, spec, query) =>
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
  bound(at, ask);
  borne(at, `<${made}:status.token>`);
}

const rulesReview = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectRulesReview',
  spec: { namespace: '<own>-1' },
};

/** Tokens that go with a Secret, and with that Secret alone. Each is reviewed once, as servers remember those they saw. */
function bound(at: KindStory, ask: Ask): void {
  const secrets = '/api/v1/namespaces/<own>-1/secrets';
  const json = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'held' } };
  const make = (): string => at.story.add('create secrets', 'POST', secrets, { body: { json } });
  const secret = make();
  const ref = { kind: 'Secret', apiVersion: 'v1', name: 'held' };
  ask('a', { boundObjectRef: { ...ref, uid: 'other' } });
  const boundObjectRef = { ...ref, uid: `<${secret}:metadata.uid>` };
  const [first, second, third] = [1, 2, 3].map(() => `<${ask('a', { boundObjectRef })}:status.token>`);
  review(at, { token: first });
  at.story.add('delete secrets', 'DELETE', `${secrets}/held`);
  review(at, { token: second });
  make();
  review(at, { token: third });
  boundToPod(at, ask);
}

/** A token that goes with a Pod tells so. */
function boundToPod(at: KindStory, ask: Ask): void {
  const pods = '/api/v1/namespaces/<own>-1/pods';
  const spec = { serviceAccountName: 'a', schedulerName: 'nobody', containers: [{ name: 'main', image: 'a' }] };
  const json = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'held' }, spec };
  const pod = at.story.add('create pods', 'POST', pods, { body: { json } });
  const ref = { kind: 'Pod', apiVersion: 'v1', name: 'held' };
  const [one, other] = [`<${pod}:metadata.uid>`, undefined].map((uid) => {
    const made = ask('a', { boundObjectRef: { ...ref, ...(uid ? { uid } : {}) } });
    return `<${made}:status.token>`;
  });
  review(at, { token: one });
  // It runs as another account.
  at.create(objectOf(at.kind, 'c'));
  ask('c', { boundObjectRef: ref });
  at.story.add('delete pods', 'DELETE', `${pods}/held`, { query: { gracePeriodSeconds: '0' } });
  review(at, { token: other });
  ask('b', { boundObjectRef: ref });
}

const review = (at: KindStory, spec: Json): string =>
  at.story.add('create tokenreviews', 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
    body: { json: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec } },
  });

/** What a token is worth while its account exists, and after. */
function borne(at: KindStory, token: string): void {
  const bearer = { anonymous: true, headers: { authorization: `Bearer ${token}` } };
  for (const spec of [{ token }, { token, audiences: ['else'] }, { token: 'none' }]) review(at, spec);
  at.list(bearer, 1);
  // Who is taken for nobody may not ask this.
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ', 'Token', ''])
    at.story.add('who am I', 'POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
      ...bearer,
      headers: { authorization: `${scheme} ${token}` },
      body: { json: rulesReview },
    });
  at.delete('a');
  review(at, { token });
  at.list(bearer, 1);
}
