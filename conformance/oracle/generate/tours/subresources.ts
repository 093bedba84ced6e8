import type { Json } from '../../../verbs/client.ts';
import { apiVersionOf } from '../../oracle-kind.ts';
import { merged } from '../../play/request.ts';
import { objectOf, sampleOf } from '../../samples/objects.ts';
import { inForm } from '../forms.ts';
import { dry, type KindStory } from '../story.ts';
import { patchKinds } from './life.ts';

/** Subresources that lead to a node or a backend. */
export const connecting: ReadonlySet<string> = new Set(['proxy', 'exec', 'attach', 'portforward', 'log']);

const moment = '2024-05-06T07:08:09Z';
/** With its times: a server fills in those that are missing, and whether that changes anything is up to the clock. */
const condition = {
  ...{ type: 'Approved', status: 'True', reason: 'Tried', message: 'tried' },
  ...{ lastUpdateTime: moment, lastTransitionTime: moment },
};

/** A merge patch that makes sense to a subresource. */
export function changeOf(at: KindStory, sub: string): Json {
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
  const { status } = sampleOf(at.kind) ?? {};
  // What a Scale tells of whom it selects may stand in the status, and what other doors tell is to stay.
  if (sub !== 'status' && status) at.patch('a', 'merge', status, {}, 'status');
  const first = at.get('a', {}, readableBy(at, sub));
  at.get('a', {}, sub);
  if (sub === 'status') at.get('a', inForm('table'), sub);
  for (const form of ['yaml', 'protobuf', 'metadata', 'table'] as const) at.get('a', inForm(form), sub);
  at.put('a', { answerOf: first, merge: change }, dry, sub);
  at.get('a');
  const done = at.put('a', { answerOf: first, merge: change }, {}, sub);
  at.get('a');
  at.put('a', { answerOf: first, merge: change }, {}, sub);
  at.put('a', { answerOf: first, merge: { ...change, metadata: { resourceVersion: null, uid: null } } }, {}, sub);
  at.get('a');
  at.put('a', { answerOf: done, merge: { metadata: marks(sub), spec: { by: sub } } }, {}, sub);
  at.get('a', {}, sub);
  for (const merge of [elsewhere(at, sub), sub === 'status' ? { spec: null } : { status: null }]) {
    at.put('a', { answerOf: at.get('a', {}, readableBy(at, sub)), merge }, {}, sub);
    at.get('a');
  }
  patched(at, sub, change);
  applied(at, sub, change);
  inOtherForms(at, sub, change, first);
  misdirected(at, sub, change, first, done);
  anew(at, sub, first, change);
  undone(at, sub, change);
}

/** What says in metadata by which door it came: most doors let it in, some of it or nothing. */
const marks = (sub: string): Json => ({ labels: { by: sub }, annotations: { by: sub } });

/** Each member of a change told to be gone. */
const takenAway = (change: Json): Json =>
  Object.fromEntries(
    Object.entries(change as Record<string, Json>).map(([part, members]) => [
      part,
      Object.fromEntries(Object.keys(members).map((name) => [name, null])),
    ]),
  );

/** What was told through a subresource becomes something else there, is taken away, and is taken back. */
function undone(at: KindStory, sub: string, change: Json): void {
  const unbound = { metadata: { resourceVersion: null } };
  const before = at.get('a', {}, readableBy(at, sub));
  for (const more of [change, otherwise(change), takenAway(change)]) {
    at.put('a', { answerOf: before, merge: merged(more, unbound) }, {}, sub);
    at.get('a');
  }
  at.put('a', { answerOf: before, merge: unbound }, {}, sub);
  at.get('a');
}

/** Where what is written through a subresource is read: some of them can only be written. */
export const readableBy = ({ kind }: KindStory, sub: string): string =>
  kind.subresources.find(({ name }) => name === sub)?.verbs.includes('get') ? sub : '';

/** What is changed by other doors than this one. */
function elsewhere(at: KindStory, sub: string): Json {
  const { change = {}, status = { status: { conditions: [condition] } } } = sampleOf(at.kind) ?? {};
  return sub === 'status' ? change : merged(sub === 'scale' ? {} : change, status);
}

/** Each way to write by each door of the object `a`, as rehearsals. */
export function doorways(at: KindStory): void {
  const { name } = objectOf(at.kind, 'a').metadata;
  for (const { name: sub, verbs } of at.kind.subresources) {
    if (connecting.has(sub) || !verbs.includes('update')) continue;
    const change = changeOf(at, sub);
    const now = at.get('a', {}, readableBy(at, sub));
    at.put('a', { answerOf: now, merge: change }, dry, sub);
    for (const type of patchKinds) at.patch('a', type, type === 'json' ? jsonPatchOf(change) : change, dry, sub);
    at.patch('a', 'merge', { ...change, metadata: marks(sub) }, dry, sub);
    // What is written by another door.
    at.patch('a', 'merge', merged(sampleOf(at.kind)?.change ?? {}, change), dry, sub);
    at.apply('a', { ...headOf(at, sub), metadata: { name }, ...change }, 'alice', dry, sub);
  }
}

/** Sent to another object than it names, and by verbs that it has not. */
function misdirected(at: KindStory, sub: string, change: Json, first: string, done: string): void {
  at.put('a', { answerOf: done, merge: { metadata: { name: 'other' } } }, {}, sub);
  at.put('b', { answerOf: done, merge: { metadata: { name: null } } }, {}, sub);
  at.patch('b', 'merge', change, {}, sub);
  at.get('b', {}, sub);
  at.story.add(`delete ${at.label}/${sub}`, 'DELETE', at.item('a', sub));
  at.story.add(`create ${at.label}/${sub}`, 'POST', at.item('a', sub), { body: { answerOf: first } });
  at.get('a');
}

/** What is told of one that is gone is not told of the next of its name. */
function anew(at: KindStory, sub: string, first: string, change: Json): void {
  at.delete('a', { query: { gracePeriodSeconds: '0' } });
  at.create(objectOf(at.kind, 'a'));
  at.put('a', { answerOf: first, merge: { ...change, metadata: { resourceVersion: null } } }, {}, sub);
  at.get('a');
}

function patched(at: KindStory, sub: string, change: Json): void {
  for (const type of patchKinds) {
    const patch = type === 'json' ? jsonPatchOf(change) : change;
    at.patch('a', type, patch, dry, sub);
    at.get('a', {}, sub);
    at.patch('a', type, patch, {}, sub);
    at.get('a');
  }
}

/** What is read and written by a subresource: the object itself, but for its scale. */
export const headOf = ({ kind }: KindStory, sub: string): Json =>
  sub === 'scale'
    ? { apiVersion: 'autoscaling/v1', kind: 'Scale' }
    : { apiVersion: apiVersionOf(kind), kind: kind.kind };

function applied(at: KindStory, sub: string, change: Json): void {
  const { name } = objectOf(at.kind, 'a').metadata;
  const head = headOf(at, sub);
  const object = { ...head, metadata: { name }, ...change };
  at.apply('a', object, 'alice', dry, sub);
  at.apply('a', object, 'alice', { ...dry, body: { yaml: object } }, sub);
  at.get('a');
  at.apply('a', object, 'alice', {}, sub);
  at.apply('a', object, 'alice', { query: { force: 'true' } }, sub);
  const another = { ...object, ...otherwise(change) };
  at.apply('a', another, 'bob', dry, sub);
  at.apply('a', another, 'bob', {}, sub);
  at.apply('a', another, 'bob', { query: { dryRun: 'All', force: 'true' } }, sub);
  at.apply('a', { ...head, metadata: { name } }, 'alice', {}, sub);
  at.get('a');
}

/** Told in a body that is no JSON. */
function inOtherForms(at: KindStory, sub: string, change: Json, first: string): void {
  const changed = { answerOf: first, merge: { ...change, metadata: { resourceVersion: null } } };
  const bytes = at.put('a', changed, { ...dry, ...inForm('protobuf') }, sub);
  for (const body of [{ bytesOf: bytes }, { ...changed, inYaml: true } as const]) {
    at.put('a', body, dry, sub);
    at.get('a');
    at.put('a', body, {}, sub);
    at.get('a');
  }
}

/** With other values, where it can do with some. */
const otherwise = (change: Json): Json =>
  JSON.parse(JSON.stringify(change), (key, value) => {
    if (typeof value === 'number') return value + 1;
    return key === 'message' || key === 'reason' ? `${value}Otherwise` : value;
  });

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
