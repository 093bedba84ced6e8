import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { nameOf } from '../../verbs/states.ts';
import { untilStatus } from '../../verbs/until-status.ts';
import { claimsNothing } from '../unfit/judged-kind.ts';
import { unscheduled } from './node-play.ts';

const hasPhase =
  (phase: string) =>
  ({ status }: Json): boolean =>
    status?.phase === phase;

/**
 * Volumes that a claim of two Gi to write to may find, the one for it last. Those that are large enough have the same modes:
 * stock controllers take one with fewer first, be it larger.
 */
const volumes: readonly Json[] = [
  { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
  { capacity: { storage: '5Gi' }, accessModes: ['ReadWriteOnce', 'ReadWriteMany'] },
  { capacity: { storage: '2Gi' }, accessModes: ['ReadOnlyMany'] },
  { capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'touchstone-other' },
  { capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'], volumeMode: 'Block' },
  { capacity: { storage: '3Gi' }, accessModes: ['ReadWriteOnce', 'ReadWriteMany'] },
];

/** Makes all of them, and gives their names once they are there to be had. */
async function offer({ persistentVolumes, waitUntil, longPatience }: RuleContext, storageClassName: string) {
  const names: string[] = [];
  for (const spec of volumes)
    names.push(nameOf(await persistentVolumes.create({ spec: { storageClassName, ...spec } })));
  const limit = { limit: longPatience };
  for (const name of names)
    await waitUntil('a volume is there to be had', () => persistentVolumes.read(name), hasPhase('Available'), limit);
  return names;
}

/**
 * A claim is bound to the smallest volume of its class that is large enough and can be used as it asks; without it, that is free.
 * What an earlier one of its name has left is not.
 */
export async function bindsClaims(context: RuleContext): Promise<void> {
  const { persistentVolumes, persistentVolumeClaims: claims, unique, waitUntil, longPatience, expect } = context;
  const storageClassName = unique('class');
  const [, larger, ...others] = await offer(context, storageClassName);
  const wanted = others.at(-1) ?? '';
  const spec = { storageClassName, resources: { requests: { storage: '2Gi' } } };
  const { metadata } = await claims.create({ spec });
  const bound = await untilBound(context, metadata.name, 'the claim is bound');
  expect(bound.spec.volumeName, 'its volume').toBe(wanted);
  const { capacity, accessModes } = bound.status;
  expect({ capacity, accessModes }, 'what it got').toMatchObject(volumes.at(-1));
  const until = (what: string, phase: string) =>
    waitUntil(what, () => persistentVolumes.read(wanted), hasPhase(phase), { limit: longPatience });
  expect((await until('its volume is bound', 'Bound')).spec.claimRef.uid, 'whose it is').toBe(metadata.uid);
  await claims.remove(metadata.name);
  await untilStatus(context, 'the claim is gone', 404, () => claims.get(metadata.name));
  await until('its volume is left', 'Released');
  await claims.create({ metadata: { name: metadata.name }, spec });
  const next = await untilBound(context, metadata.name, 'another of its name is bound');
  expect(next.spec.volumeName, 'the volume of another claim of its name').toBe(larger);
}

const untilBound = (
  { persistentVolumeClaims: claims, waitUntil, longPatience }: RuleContext,
  name: string,
  what: string,
) => waitUntil(what, () => claims.read(name), hasPhase('Bound'), { limit: longPatience });

/** A volume that lasts as long as its pod has a claim that is the pod's own, as the pod describes it. */
export async function makesClaims(context: RuleContext): Promise<void> {
  const { pods, persistentVolumeClaims: claims, expect } = context;
  await preparePods(context);
  const described = { metadata: { labels: { colour: 'red' } }, spec: claims.sample(claimsNothing).spec };
  const volumes = [{ name: 'scratch', ephemeral: { volumeClaimTemplate: described } }];
  const { name, uid } = (await pods.create({ spec: { ...unscheduled, volumes } })).metadata;
  await untilStatus(context, 'the pod has a claim', 200, () => claims.get(`${name}-scratch`));
  const { metadata, spec } = await claims.read(`${name}-scratch`);
  expect(metadata.ownerReferences, 'whose it is').toMatchObject([{ kind: 'Pod', name, uid, controller: true }]);
  expect({ labels: metadata.labels, spec }, 'what it is').toMatchObject({
    labels: { colour: 'red' },
    spec: described.spec,
  });
}
