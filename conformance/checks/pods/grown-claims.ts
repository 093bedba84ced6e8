import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { nameOf } from '../../verbs/states.ts';

/** Of a claim. */
export const room = (storage: string): Json => ({ spec: { resources: { requests: { storage } } } });

/** A claim of so much room and of this class, which looks as if a volume were bound to it. */
export async function boundClaim({ persistentVolumeClaims }: RuleContext, storageClassName: string): Promise<string> {
  const claim = await persistentVolumeClaims.create(merged({ spec: { storageClassName } }, room('1Gi')));
  const status = { phase: 'Bound', capacity: { storage: '1Gi' } };
  await persistentVolumeClaims.patch(nameOf(claim), { status }, { sub: 'status' });
  return nameOf(claim);
}

/** PersistentVolumeClaimResize: where the class does not say that claims grow, they do not. */
export async function staysAsLarge(context: RuleContext): Promise<void> {
  const { persistentVolumeClaims, storageClasses, expect } = context;
  const storageClass = await storageClasses.create({ provisioner: 'touchstone.example/nobody' });
  const name = await boundClaim(context, nameOf(storageClass));
  // Where a controller finds that nothing is bound to it, it may not grow either.
  const { status } = await persistentVolumeClaims.patch(name, room('2Gi'));
  expect(status, 'a claim that grows, of a class that does not let it').toBeGreaterThanOrEqual(400);
  expect((await persistentVolumeClaims.read(name)).spec, 'what is stored').toMatchObject(room('1Gi').spec);
}

/** LimitRanger: a claim that may grow does not grow beyond the bounds of a range. */
export async function growsWithinLimits(context: RuleContext): Promise<void> {
  const { persistentVolumeClaims: claims, storageClasses, limitRanges, waitUntil, allHeard, expect } = context;
  const ofClass = { provisioner: 'touchstone.example/nobody', allowVolumeExpansion: true };
  const name = await boundClaim(context, nameOf(await storageClasses.create(ofClass)));
  await limitRanges.create({ spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '2Gi' } }] } });
  const tried = async () => (await claims.post(claims.sample(room('3Gi')), { dryRun: 'All' })).status;
  await waitUntil('the range counts', tried, (status) => status === 403);
  await allHeard();
  const writes = {
    'a merge patch': () => claims.patch(name, room('3Gi')),
    'an update': async () => claims.put(merged(await claims.read(name), room('3Gi'))),
  };
  // Where a controller finds that nothing is bound to it, it may not grow at all.
  for (const [what, write] of Object.entries(writes))
    expect((await write()).status, `a claim that grows too large, by ${what}`).toBeGreaterThanOrEqual(400);
  expect((await claims.read(name)).spec, 'what is stored').toMatchObject(room('1Gi').spec);
}
