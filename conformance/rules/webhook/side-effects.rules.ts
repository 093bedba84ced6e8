import { defineRule } from '../../rule.ts';
import { uncalled } from '../../sabotage/webhooks.ts';
import { configure } from '../../verbs/webhooks.ts';
import { hookRule } from '../webhook-field-rules.ts';

const effects = (sideEffects?: string) => ({ sideEffects });

export default [
  hookRule(
    'webhook.side-effects.values',
    'validatingWebhooks',
    { None: effects('None'), NoneOnDryRun: effects('NoneOnDryRun') },
    { Some: effects('Some'), Unknown: effects('Unknown'), 'another word': effects('Perhaps'), 'left out': effects() },
  ),

  defineRule('webhook.side-effects.dry-run-sent', {
    needs: ['webhooks'],
    sabotage: uncalled,
    async check(context) {
      const { secrets, expect } = context;
      const { hooks } = await configure(context, 'validating', [
        { over: effects('None') },
        { over: effects('NoneOnDryRun') },
      ]);
      expect((await secrets.post(secrets.sample(), { dryRun: 'All' })).status).toBe(201);
      for (const { received } of hooks) expect(received).toHaveLength(1);
    },
  }),
];
