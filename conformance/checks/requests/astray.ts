import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import type { PatchType } from '../../verbs/patch-types.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, stateOf } from '../../verbs/states.ts';
import type { Subject } from '../../verbs/subjects.ts';
import { appliedStatus, changingWrites, saying, unversioned } from './writes.ts';

/** A change that says of its object that it is in another namespace is none, whichever way it is written. */
export async function staysInPlace(
  objects: Collection,
  expect: RuleContext['expect'],
  kind: Subject,
  place: string,
): Promise<void> {
  const name = nameOf(await objects.create());
  const writes = changingWrites.filter((write) => ['', 'status'].includes(write.sub) && write.fits(kind));
  for (const write of writes) {
    const send = async (namespace: string) => {
      const object = unversioned(kind, await objects.read(name));
      return write.send({ objects, object, kind: saying(kind, { namespace }) });
    };
    const astray = await send('default');
    expect(astray.status, `a ${write.name} of another namespace: ${said(astray)}`).toBe(400);
    const here = await send(place);
    expect(here.status, `a ${write.name} of its own namespace: ${said(here)}`).toBe(200);
  }
}

/** What an object cannot come to be. */
const others: Readonly<Record<string, Json>> = {
  'another name': { metadata: { name: 'another' } },
  'no name': { metadata: { name: '' } },
  'another kind': { kind: 'Another' },
  'another version': { apiVersion: 'example.com/v9' },
};

/** Servers read these as what their path is about, whatever else they say of their type. */
const untyped: Partial<Record<PatchType, readonly string[]>> = {
  strategic: ['another kind', 'another version'],
  apply: ['another kind', 'no name'],
};

const replacing = (change: Json): Json[] =>
  change.metadata
    ? [{ op: 'replace', path: '/metadata/name', value: change.metadata.name }]
    : Object.entries(change).map(([member, value]) => ({ op: 'replace', path: `/${member}`, value }));

/** A change as patches of a type say it. */
function patchTo(change: Json, { at }: Collection, name: string, type: PatchType): Json {
  if (type === 'json') return replacing(change);
  return type === 'apply'
    ? merged({ apiVersion: apiVersionOf(at), kind: at.kind, metadata: { name } }, change)
    : change;
}

/** Nobody patches an object into another one. */
export async function staysWhatItIs(
  objects: Collection,
  expect: RuleContext['expect'],
  kind: Subject,
  type: PatchType,
): Promise<void> {
  const name = nameOf(await objects.create());
  const hasStatus = type === 'apply' ? appliedStatus.fits(kind) : kind.status !== undefined;
  const query = type === 'apply' ? { fieldManager: 'applier' } : {};
  const before = await stateOf(objects, kind);
  for (const [what, change] of Object.entries(others).filter(([each]) => !untyped[type]?.includes(each)))
    for (const sub of hasStatus ? ['', 'status'] : ['']) {
      const { status } = await objects.patch(name, patchTo(change, objects, name, type), { type, sub, query });
      expect(status, `${what}, ${sub}`).toBeGreaterThanOrEqual(400);
      expect(status, `${what}, ${sub}`).toBeLessThan(500);
    }
  expect(await stateOf(objects, kind), 'after all of them').toEqual(before);
}

/** Of what a path has, nothing else: for what is posted and has no name. */
export const ofOtherTypes = Object.fromEntries(
  ['another kind', 'another version'].map((what) => [what, others[what]]),
) as Readonly<Record<string, Json>>;

/**
 * What is posted to a path is about the object that the path names, and is what belongs there: whatever says otherwise of
 * itself is refused.
 */
export async function postsWhatBelongs(
  expect: RuleContext['expect'],
  where: string,
  post: (other: Json) => Promise<Answer>,
  strange: Readonly<Record<string, Json>> = others,
): Promise<void> {
  for (const [what, other] of Object.entries(strange)) {
    const { status } = await post(other);
    expect(status, `${where}, of ${what}`).toBeGreaterThanOrEqual(400);
    expect(status, `${where}, of ${what}`).toBeLessThan(500);
  }
}
