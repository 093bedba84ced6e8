import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { spec } from '../unfit/judged-kind.ts';
import { changed } from '../unfit/judged-objects.ts';

/** Amounts as they are sent, and as they are told then: without a fraction, in the largest unit that needs none. */
const amounts: readonly (readonly [resource: string, sent: string, told: string])[] = [
  ['cpu', '1', '1'],
  ['cpu', '100m', '100m'],
  ['cpu', '1000m', '1'],
  ['cpu', '0.5', '500m'],
  ['memory', '1024Mi', '1Gi'],
  ['memory', '1.5Gi', '1536Mi'],
  ['memory', '2000k', '2M'],
];

/** What a pod may have, in words for one amount. */
const holding = (memory: string, cpu: string): Json =>
  spec({
    template: {
      metadata: { labels: { app: 'spelt' } },
      spec: {
        containers: [{ name: 'main', image: 'registry.example/pause:1', resources: { limits: { memory, cpu } } }],
        volumes: [{ name: 'room', emptyDir: { sizeLimit: memory } }],
      },
    },
  });

/** The same amount in other words is no other: what may not change keeps it, and it makes no new generation. */
async function changesNothing({ jobs, deployments, expect }: RuleContext): Promise<void> {
  const base = { paused: true, replicas: 0, selector: { matchLabels: { app: 'spelt' } } };
  const kinds = [
    jobs.with({ base: spec({ suspend: true, template: { spec: { restartPolicy: 'Never' } } }) }),
    deployments.with({ base: spec(base) }),
  ];
  for (const objects of kinds) {
    const { metadata } = await objects.create(holding('1Gi', '1'));
    const { status, body } = await changed(objects, metadata.name, holding('1073741824', '1000m'));
    expect(status, `${objects.at.resource}: ${body?.message ?? ''}`).toBe(200);
    expect(body.metadata.generation, `the generation of ${objects.at.resource}`).toBe(metadata.generation);
    const other = await changed(objects, metadata.name, holding('1073741825', '1'));
    expect(other.status, `another amount of ${objects.at.resource}`).toBe(objects.at.resource === 'jobs' ? 422 : 200);
  }
}

/** Equal amounts are told alike, however they were spelt. */
export async function spellsAmounts(context: RuleContext): Promise<void> {
  const { resourceQuotas, expect } = context;
  await changesNothing(context);
  for (const [resource, sent, told] of amounts) {
    const quota = resourceQuotas.sample({ spec: { hard: { [resource]: sent } } });
    const { status, body } = await resourceQuotas.post(quota, { dryRun: 'All' });
    expect(status, `${sent}: ${body?.message ?? ''}`).toBe(201);
    expect(body.spec.hard[resource], sent).toBe(told);
  }
}
