import { defineRule } from '../../rule.ts';
import { storesRefused } from '../../sabotage/careless.ts';
import { answerStatus, loseWrite } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';

/** Ways to allow one Secret: a quota can count objects in two. */
const ones = {
  secrets: { secrets: '1', 'count/secrets': '9' },
  'count/secrets': { secrets: '9', 'count/secrets': '1' },
} as const;

/** A quota of one Secret that counts at once: where no controller fills in its status, we do. */
async function quotaOfOne(
  { resourceQuotas, waitUntil }: RuleContext,
  by: keyof typeof ones = 'secrets',
): Promise<void> {
  const hard = ones[by];
  const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']));
  const { metadata } = await resourceQuotas.create({ spec: { hard } });
  const look = async () => {
    await resourceQuotas.patch(metadata.name, { status: { hard, used } }, { sub: 'status' });
    return (await resourceQuotas.get(metadata.name)).body?.status?.hard?.secrets;
  };
  await waitUntil('the quota counts', look, (secrets) => secrets === hard.secrets);
}

export default [
  // What would exceed a quota of its namespace is refused.
  defineRule('admission.resource-quota.rejects', {
    matrix: { by: ['secrets', 'count/secrets'] },
    sabotage: [
      answerStatus(201, { method: 'POST', path: /\/secrets$/, instead: 403 }),
      storesRefused({ path: /\/secrets(\/[^/]+)?$/ }),
      answerStatus(201, { method: 'POST', path: /\/secrets$/, query: { dryRun: true }, instead: 403 }),
    ],
    async check(context, { by }) {
      const { secrets, configMaps, waitUntil, expect } = context;
      await quotaOfOne(context, by);
      // What is only tried takes nothing of it.
      expect((await secrets.post(secrets.sample(), { dryRun: 'All' })).status, 'a dry run').toBe(201);
      await waitUntil(
        'a first Secret is within the quota',
        async () => (await secrets.post(secrets.sample())).status,
        (status) => status === 201,
      );
      const second = secrets.sample();
      expect((await secrets.post(second, { dryRun: 'All' })).status, 'a dry run of a second Secret').toBe(403);
      expect((await secrets.post(second)).status, 'a second Secret').toBe(403);
      expect((await secrets.get(second.metadata.name)).status, 'the second Secret').toBe(404);
      expect((await configMaps.post(configMaps.sample())).status, 'what the quota does not count').toBe(201);
    },
  }),

  // Quotas bind only while the ResourceQuota controller is on.
  defineRule('admission.resource-quota.needed', {
    flags: ['--disable-admission-plugins=ResourceQuota'],
    sabotage: [
      answerStatus(403, { method: 'POST', path: /\/secrets$/, instead: 201 }),
      loseWrite({ method: 'POST', path: /\/secrets$/, nth: 2 }),
    ],
    async check(context) {
      const { secrets, expect } = context;
      await quotaOfOne(context);
      for (const nth of ['first', 'second', 'third'])
        expect((await secrets.post(secrets.sample())).status, nth).toBe(201);
      expect((await secrets.list()).items, 'what is stored').toHaveLength(3);
    },
  }),
];
