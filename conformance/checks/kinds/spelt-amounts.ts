import type { RuleContext } from '../../verbs/context.ts';

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

/** Equal amounts are told alike, however they were spelt. */
export async function spellsAmounts({ resourceQuotas, expect }: RuleContext): Promise<void> {
  for (const [resource, sent, told] of amounts) {
    const quota = resourceQuotas.sample({ spec: { hard: { [resource]: sent } } });
    const { status, body } = await resourceQuotas.post(quota, { dryRun: 'All' });
    expect(status, `${sent}: ${body?.message ?? ''}`).toBe(201);
    expect(body.spec.hard[resource], sent).toBe(told);
  }
}
