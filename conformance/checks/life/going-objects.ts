import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { marking, type Subject } from '../../verbs/subjects.ts';
import { changingWrites } from '../requests/writes.ts';

/** What is held by somebody of these tests. */
export const held = { metadata: { finalizers: ['example.com/one'] } };

/** The ways to let go of an object, by the name of the write, some with a last word; by an apply only what was applied goes. */
export function lettingGo(objects: Collection, marked: Json): Readonly<Record<string, () => Promise<Answer>>> {
  const { finalizers: _, ...metadata } = marked.metadata;
  const { name } = metadata;
  const none = { metadata: { finalizers: null } };
  const last = marking('last');
  return {
    update: () => objects.put(merged({ ...marked, metadata }, last)),
    'merge patch': () => objects.patch(name, none),
    'JSON patch': () => objects.patch(name, [{ op: 'remove', path: '/metadata/finalizers' }], { type: 'json' }),
    'strategic merge patch': () => objects.patch(name, merged(last, none), { type: 'strategic' }),
    apply: () => objects.tryApply(name, {}, 'touchstone-writer'),
  };
}

/** What is going is written as ever, whichever path leads to it, and goes on waiting for who holds it. */
export async function takesWrites(
  objects: Collection,
  expect: RuleContext['expect'],
  kind: Subject,
  name: string,
): Promise<void> {
  let object = await objects.read(name);
  const { deletionTimestamp } = object.metadata;
  for (const [index, write] of changingWrites.filter(({ fits }) => fits(kind)).entries()) {
    const answer = await write.send({ objects, object, kind, round: index + 2 });
    expect(answer.status, `${write.name} of what is going: ${said(answer)}`).toBe(200);
    object = await objects.read(name);
    expect(object.metadata.deletionTimestamp, `after ${write.name}`).toBe(deletionTimestamp);
    expect(object.metadata.finalizers, `after ${write.name}`).toContain('example.com/one');
  }
}

const small = { spec: { resources: { requests: { storage: '1Gi' } } } };
const larger = { type: 'PersistentVolumeClaim', min: { storage: '2Gi' } };

/** What is no longer allowed as it is may go all the same, by whatever write its last finalizer is removed. */
export async function goesBeyondLimits(context: RuleContext): Promise<void> {
  const { persistentVolumeClaims: claims, limitRanges, waitUntil, expect } = context;
  const ways = ['update', 'merge patch', 'JSON patch', 'strategic merge patch'];
  const made = await Promise.all(
    ways.map(async (way) => [way, nameOf(await claims.create({ ...small, ...held }))] as const),
  );
  await limitRanges.create({ spec: { limits: [larger] } });
  const tried = async () => (await claims.post(claims.sample(small), { dryRun: 'All' })).status;
  await waitUntil('such claims are no longer allowed', tried, (status) => status === 403);
  for (const [way, name] of made) {
    await claims.remove(name);
    const marked = await claims.read(name);
    const { resourceVersion: _, ...metadata } = marked.metadata;
    const answer = await lettingGo(claims, { ...marked, metadata })[way]?.();
    expect(answer?.status, `${way} of a claim that is too small by now: ${answer && said(answer)}`).toBe(200);
    expect((await claims.get(name)).status, `a claim that is too small by now, after an ${way}`).toBe(404);
  }
}
