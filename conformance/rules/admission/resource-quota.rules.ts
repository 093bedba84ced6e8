import { defineRule } from '../../rule.ts';
import { storesRefused } from '../../sabotage/careless.ts';
import { answerStatus, loseWrite } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';

/** A quota of one Secret that counts at once: where no controller fills in its status, we do. */
async function quotaOfOne({ resourceQuotas, waitUntil }: RuleContext): Promise<void> {
  const hard = { secrets: '1' };
  const { metadata } = await resourceQuotas.create({ spec: { hard } });
  const look = async () => {
    await resourceQuotas.patch(metadata.name, { status: { hard, used: { secrets: '0' } } }, { sub: 'status' });
    return (await resourceQuotas.get(metadata.name)).body?.status?.hard?.secrets;
  };
  await waitUntil('the quota counts', look, (secrets) => secrets === '1');
}

export default [
  // What would exceed a quota of its namespace is refused.
  defineRule('admission.resource-quota.rejects', {
    sabotage: [
      answerStatus(201, { method: 'POST', path: /\/secrets$/, instead: 403 }),
      storesRefused({ path: /\/secrets(\/[^/]+)?$/ }),
    ],
    async check(context) {
      const { secrets, configMaps, waitUntil, expect } = context;
      await quotaOfOne(context);
      // What is only tried takes nothing of it.
      expect((await secrets.post(secrets.sample(), { dryRun: 'All' })).status, 'a dry run').toBe(201);
      await waitUntil(
        'a first Secret is within the quota',
        async () => (await secrets.post(secrets.sample())).status,
        (status) => status === 201,
      );
      const second = secrets.sample();
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
