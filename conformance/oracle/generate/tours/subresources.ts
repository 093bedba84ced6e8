import type { Json } from '../../../verbs/client.ts';
import { apiVersionOf } from '../../oracle-kind.ts';
import { objectOf, sampleOf } from '../../samples/sample.ts';
import { accepts, inForm } from '../forms.ts';
import type { KindStory } from '../story.ts';
import { deleteOptions, dry, patchKinds } from './life.ts';

/** Subresources that lead to a node or a backend. */
export const connecting: ReadonlySet<string> = new Set(['proxy', 'exec', 'attach', 'portforward', 'log']);

const condition = { type: 'Approved', status: 'True', reason: 'Tried', message: 'tried' };

/** A merge patch that makes sense to a subresource. */
function changeOf(at: KindStory, sub: string): Json {
  if (sub === 'scale') return { spec: { replicas: 4 } };
  if (sub === 'approval') return { status: { conditions: [condition] } };
  if (sub === 'ephemeralcontainers')
    return {
      spec: {
        ephemeralContainers: [{ name: 'look', image: 'registry.example/look:1', terminationMessagePolicy: 'File' }],
      },
    };
  if (sub === 'finalize') return { spec: { finalizers: ['example.com/last'] } };
  return sampleOf(at.kind)?.status ?? { status: { touched: 'yes' } };
}

/** Through one subresource by every verb it has, rehearsed and real, and what of the object may not move by it. */
export function subresource(at: KindStory, sub: string): void {
  const change = changeOf(at, sub);
  at.create(objectOf(at.kind, 'a'));
  const first = at.get('a', {}, sub);
  if (sub === 'status') at.get('a', inForm('table'), sub);
  for (const form of ['yaml', 'protobuf', 'metadata', 'table'] as const) at.get('a', inForm(form), sub);
  at.put('a', { answerOf: first, merge: change }, dry, sub);
  at.get('a');
  const done = at.put('a', { answerOf: first, merge: change }, {}, sub);
  at.get('a');
  at.put('a', { answerOf: first, merge: change }, {}, sub);
  at.put(
    'a',
    { answerOf: done, merge: { metadata: { labels: { by: sub }, annotations: { by: sub } }, spec: { by: sub } } },
    {},
    sub,
  );
  at.get('a', {}, sub);
  for (const type of patchKinds) {
    const patch = type === 'json' ? jsonPatchOf(change) : change;
    at.patch('a', type, patch, dry, sub);
    at.get('a', {}, sub);
    at.patch('a', type, patch, {}, sub);
    at.get('a');
  }
  applied(at, sub, change);
  at.put('a', { answerOf: done, merge: { metadata: { name: 'other' } } }, {}, sub);
  at.put('b', { answerOf: done, merge: { metadata: { name: null } } }, {}, sub);
  at.patch('b', 'merge', change, {}, sub);
  at.get('b', {}, sub);
  at.story.add(`delete ${at.label}/${sub}`, 'DELETE', at.item('a', sub));
  at.story.add(`create ${at.label}/${sub}`, 'POST', at.item('a', sub), { body: { answerOf: first } });
  at.get('a');
}

function applied(at: KindStory, sub: string, change: Json): void {
  const { name } = objectOf(at.kind, 'a').metadata;
  const head =
    sub === 'scale'
      ? { apiVersion: 'autoscaling/v1', kind: 'Scale' }
      : { apiVersion: apiVersionOf(at.kind), kind: at.kind.kind };
  const object = { ...head, metadata: { name }, ...change };
  at.apply('a', object, 'alice', dry, sub);
  at.get('a');
  at.apply('a', object, 'alice', {}, sub);
  at.apply('a', object, 'alice', { query: { force: 'true' } }, sub);
  at.apply('a', { ...head, metadata: { name } }, 'alice', {}, sub);
  at.get('a');
}

/** The same as a merge patch, member by member. */
function jsonPatchOf(change: Json): Json {
  return Object.entries(change as Record<string, Json>).flatMap(([part, members]) =>
    Object.entries(members as Record<string, Json>).map(([name, value]) => ({
      op: 'add',
      path: `/${part}/${name}`,
      value,
    })),
  );
}

const eviction = (name: string, version: string, more: Json = {}): Json => ({
  apiVersion: `policy/${version}`,
  kind: 'Eviction',
  metadata: { name, namespace: '<own>-1' },
  ...more,
});

/** A Pod is bound and evicted, with and without a budget that minds. */
export function podActions(at: KindStory): void {
  const add = (what: string, word: string, sub: string, json: Json, query?: Record<string, string>): string =>
    at.story.add(`create pods/${what}`, 'POST', at.item(word, sub), { body: { json }, ...(query ? { query } : {}) });
  const binding = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'a' },
    target: { kind: 'Node', name: 'nobody' },
  };
  at.create(objectOf(at.kind, 'a'));
  at.create(objectOf(at.kind, 'b'));
  add('binding dry', 'a', 'binding', binding, { dryRun: 'All' });
  at.get('a');
  add('binding', 'a', 'binding', binding);
  at.get('a');
  add('binding', 'a', 'binding', { ...binding, target: { kind: 'Node', name: 'else' } });
  add('eviction dry', 'b', 'eviction', eviction('b', 'v1', { deleteOptions: deleteOptions({ dryRun: ['All'] }) }));
  at.get('b');
  add('eviction dry', 'b', 'eviction', eviction('b', 'v1'), { dryRun: 'All' });
  at.get('b');
  add(
    'eviction',
    'b',
    'eviction',
    eviction('b', 'v1', { deleteOptions: deleteOptions({ preconditions: { uid: 'none' } }) }),
  );
  add('eviction', 'b', 'eviction', eviction('other', 'v1'));
  at.story.add('create a budget', 'POST', '/apis/policy/v1/namespaces/<own>-1/poddisruptionbudgets', {
    body: {
      json: {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'keep' },
        spec: { maxUnavailable: 0, selector: {} },
      },
    },
  });
  add('eviction', 'b', 'eviction', eviction('b', 'v1'));
  add('eviction', 'a', 'eviction', eviction('a', 'v1beta1'));
  at.story.add('delete a budget', 'DELETE', '/apis/policy/v1/namespaces/<own>-1/poddisruptionbudgets/keep');
  add('eviction', 'b', 'eviction', eviction('b', 'v1', { deleteOptions: deleteOptions({ gracePeriodSeconds: 0 }) }));
  at.get('b');
  add('eviction', 'b', 'eviction', eviction('b', 'v1'));
  at.get('a', { headers: { accept: accepts.json } }, 'log');
}

/** Tokens are made for who exists, rehearsed too, and work for their bearer. */
export function tokenActions(at: KindStory): void {
  const request = (spec: Json): Json => ({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec });
  const ask = (word: string, spec: Json, query?: Record<string, string>): string =>
    at.story.add('create serviceaccounts/token', 'POST', at.item(word, 'token'), {
      body: { json: request(spec) },
      ...(query ? { query } : {}),
    });
  const review = (token: string, audiences?: string[]): string =>
    at.story.add('create tokenreviews', 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
      body: {
        json: {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenReview',
          spec: { token, ...(audiences ? { audiences } : {}) },
        },
      },
    });
  at.create(objectOf(at.kind, 'a'));
  ask('a', {}, { dryRun: 'All' });
  const made = ask('a', { expirationSeconds: 3600 });
  ask('a', { expirationSeconds: 10 });
  ask('b', {});
  ask('a', { audiences: ['else'] });
  ask('a', { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'none' } });
  ask('a', { boundObjectRef: { kind: 'Thing', apiVersion: 'v1', name: 'none' } });
  at.get('a');
  review(`<${made}:status.token>`);
  review(`<${made}:status.token>`, ['else']);
  review('none');
  const bearer = { anonymous: true, headers: { authorization: `Bearer <${made}:status.token>` } };
  at.list(bearer, 1);
  at.story.add('who am I', 'POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
    ...bearer,
    body: {
      json: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: '<own>-1' } },
    },
  });
  at.delete('a');
  review(`<${made}:status.token>`);
  at.list(bearer, 1);
}
