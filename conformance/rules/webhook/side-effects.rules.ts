import { serverHolding } from '../../checks/webhooks/stored-before.ts';
import { storedHook } from '../../checks/webhooks/stored-hooks.ts';
import { defineRule } from '../../rule.ts';
import { storesRefused } from '../../sabotage/careless.ts';
import { answerStatus, ignoreQuery } from '../../sabotage/transforms.ts';
import { uncalled } from '../../sabotage/webhooks.ts';
import { configure } from '../../verbs/webhooks.ts';
import { hookRule } from '../webhook-field-rules.ts';

const effects = (sideEffects?: string) => ({ sideEffects });

export default [
  // `sideEffects` is `None` or `NoneOnDryRun`.
  hookRule(
    'webhook.side-effects.values',
    { None: effects('None'), NoneOnDryRun: effects('NoneOnDryRun') },
    { Some: effects('Some'), Unknown: effects('Unknown'), 'another word': effects('Perhaps'), 'left out': effects() },
  ),

  // A webhook that promises no side effects on dry runs is asked about dry runs.
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

  // A dry run that would call a webhook without the promise fails instead.
  defineRule('webhook.side-effects.undeclared', {
    needs: ['flags'],
    sabotage: [
      answerStatus(201, { method: 'POST', path: /\/secrets$/, query: { dryRun: true }, instead: 400 }),
      answerStatus(400, { method: 'POST', path: /\/configmaps$/, query: { dryRun: true } }),
      storesRefused({ path: /\/secrets(\/[^/]+)?$/ }),
      ignoreQuery('dryRun', { method: 'POST', path: /\/secrets$/ }),
    ],
    async check(context) {
      // Nobody listens there: a call would fail, and not matter.
      const undeclared = storedHook(context, 'secrets', { ...effects('Unknown'), failurePolicy: 'Ignore' });
      const selected = { matchLabels: { 'touchstone.example/none': 'such' } };
      const unselected = ['objectSelector', 'namespaceSelector'].map((selector) =>
        storedHook(context, 'configmaps', { ...effects('Unknown'), [selector]: selected }),
      );
      const { secrets, configMaps, expect } = await serverHolding(context, [undeclared, ...unselected]);
      const dryRun = { dryRun: 'All' };
      expect((await configMaps.post(configMaps.sample(), dryRun)).status, 'where it does not apply').toBe(201);
      expect((await secrets.post(secrets.sample())).status, 'in earnest').toBe(201);
      const sample = secrets.sample();
      const refused = await secrets.post(sample, dryRun);
      expect((await secrets.get(sample.metadata.name)).status, 'what was only tried').toBe(404);
      expect(refused.status, 'a dry run that would call it').toBe(400);
      expect(refused.body).toMatchObject({ kind: 'Status', reason: 'BadRequest' });
    },
  }),
];
