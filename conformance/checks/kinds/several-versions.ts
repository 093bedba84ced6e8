import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { type KindPath, kindPaths } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { changed } from '../unfit/judged-objects.ts';

interface Several {
  readonly at: KindPath;
  /** By which groups and versions it is served beside. */
  readonly others: readonly Pick<KindPath, 'group' | 'version'>[];
  readonly parts: Json;
  /** What somebody else may not apply in place of it; missing: anybody may write all of it. */
  readonly rival?: Json;
  /** What its controller may have told of it. */
  readonly status?: Json;
}

const memory = {
  type: 'Resource',
  resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
};

const since = '2024-05-06T07:08:09Z';
const condition = { status: 'True', lastTransitionTime: since, reason: 'Judged', message: 'judged' };
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' };

/** Kinds that are served in several versions, with what not all of these have a field for. */
const several: readonly Several[] = [
  {
    at: kindPaths.horizontalPodAutoscalers,
    others: ['v1', 'v2beta2'].map((version) => ({ group: 'autoscaling', version })),
    parts: {
      spec: {
        ...{ minReplicas: 2, maxReplicas: 3, metrics: [memory] },
        scaleTargetRef,
        behavior: { scaleDown: { stabilizationWindowSeconds: 7 } },
      },
    },
    rival: { spec: { maxReplicas: 4, scaleTargetRef } },
    status: {
      ...{ currentReplicas: 2, desiredReplicas: 3, lastScaleTime: since },
      conditions: ['AbleToScale', 'ScalingLimited'].map((type) => ({ ...condition, type })),
    },
  },
  { at: kindPaths.events, others: [{ group: '', version: 'v1' }], parts: {} },
];

const told = { labels: { a: 'b' }, annotations: { 'touchstone.example/told': 'yes' } };

/** What is stored by one version is shown and defended by all others, and is the same after each has written back what it shows. */
export async function showsAlike(context: RuleContext): Promise<void> {
  const { expect } = context;
  for (const { at, others, parts, rival, status } of several) {
    const objects = context.kind(at);
    const { metadata, status: _, ...sound } = await objects.create(merged(parts, { metadata: told }));
    for (const other of others) {
      const what = `${at.resource} by ${other.group}/${other.version}`;
      const same = context.kind({ ...at, ...other });
      const shown = await same.read(metadata.name);
      expect(shown.metadata, what).toMatchObject({ uid: metadata.uid, name: metadata.name, ...told });
      if (rival) {
        const applied = await same.tryApply(metadata.name, rival, 'rival');
        expect(applied.status, `${what}, applied by somebody else`).toBe(409);
      }
      // A controller may tell of its status meanwhile.
      const answer = await changed(same, metadata.name, {});
      expect(answer.status, `${what}, written back: ${said(answer)}`).toBe(200);
      const { metadata: kept, status: __, ...rest } = await objects.read(metadata.name);
      expect(rest, `what is stored, after ${what} are written back`).toEqual(sound);
      expect(kept, `what is stored, after ${what} are written back`).toMatchObject(told);
      expect(kept.annotations, `annotations, after ${what} are written back`).toEqual(metadata.annotations);
      if (status) await tellsAlike(context, { objects, same, name: metadata.name, status });
    }
  }
}

/** So is what is told of it, where nobody else tells something. */
async function tellsAlike({ capabilities, expect }: RuleContext, { objects, same, name, status }: Told): Promise<void> {
  if (capabilities.includes('controllers')) return;
  await objects.merge(name, { status }, 'status');
  const answer = await same.put(await same.read(name), '', { sub: 'status' });
  expect(answer.status, `a status by ${same.at.version}, written back: ${said(answer)}`).toBe(200);
  expect(
    (await objects.read(name)).status,
    `what is told, after it was written back by ${same.at.version}`,
  ).toMatchObject(status);
}

interface Told {
  readonly objects: Collection;
  readonly same: Collection;
  readonly name: string;
  readonly status: Json;
}
