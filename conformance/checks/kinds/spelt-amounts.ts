import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { spec } from '../unfit/judged-kind.ts';
import { changed } from '../unfit/judged-objects.ts';

/**
 * Amounts as they are sent, and as they are told then: without a fraction, in the largest unit that needs none, in units
 * of the sort that was sent. What is finer than a thousandth is rounded up.
 */
const amounts: readonly (readonly [sent: string, told: string])[] = Object.entries({
  ...{ '1': '1', '100m': '100m', '1000m': '1', '0.5': '500m', '.5': '500m', '1e3': '1e3', '5e-1': '500e-3' },
  ...{ '1n': '1m', '1500u': '2m', '0.0001': '1m', '1.5M': '1500k', '1025k': '1025k' },
  ...{ '2000k': '2M', '3000M': '3G', '4000G': '4T', '5000T': '5P', '6000P': '6E' },
  ...{ '1024Ki': '1Mi', '1024Mi': '1Gi', '2048Gi': '2Ti', '3072Ti': '3Pi', '4096Pi': '4Ei' },
  ...{ '1.5Gi': '1536Mi', '1.5Ki': '1536', '0.5Ki': '512' },
});

/** Of these a quota may have amounts that need not be whole. */
const measured = ['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => [`requests.${name}`, `limits.${name}`]);

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
    const answer = await changed(objects, metadata.name, holding('1073741824', '1000m'));
    expect(answer.status, `${objects.at.resource}: ${said(answer)}`).toBe(200);
    expect(answer.body.metadata.generation, `the generation of ${objects.at.resource}`).toBe(metadata.generation);
    const other = await changed(objects, metadata.name, holding('1073741825', '1'));
    expect(other.status, `another amount of ${objects.at.resource}`).toBe(objects.at.resource === 'jobs' ? 422 : 200);
  }
}

/** Equal amounts are told alike, however they were spelt; a quota has several at once. */
export async function spellsAmounts(context: RuleContext): Promise<void> {
  const { resourceQuotas, expect } = context;
  await changesNothing(context);
  for (let at = 0; at < amounts.length; at += measured.length) {
    const some = amounts.slice(at, at + measured.length);
    const hard = (side: 0 | 1): Json => Object.fromEntries(some.map((amount, nth) => [measured[nth], amount[side]]));
    const quota = resourceQuotas.sample(spec({ hard: hard(0) }));
    const answered = await resourceQuotas.post(quota, { dryRun: 'All' });
    const what = some.map(([sent]) => sent).join(', ');
    expect(answered.status, `${what}: ${said(answered)}`).toBe(201);
    expect(answered.body.spec.hard, what).toMatchObject(hard(1));
  }
}
