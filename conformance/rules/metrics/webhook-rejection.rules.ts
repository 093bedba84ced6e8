import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import { type HookParts, patchWith } from '../../verbs/webhooks.ts';
import { broken, denying, rejected, spoilLabel, uncounted } from '../webhook-rejections.ts';

/** The server itself cannot do what the webhook asks for. */
const inapplicable: HookParts = { respond: () => patchWith({ op: 'remove', path: '/data/nothing' }) };

const rejectionRule = (
  id: string,
  label: string,
  parts: HookParts,
  value: string,
  type: 'mutating' | 'validating' = 'validating',
): Rule =>
  defineRule(`metrics.webhook-rejection.${id}`, {
    needs: ['webhooks'],
    sabotage: [uncounted, spoilLabel(label)],
    async check(context) {
      const found = await rejected(context, parts, type);
      context.expect(found.answer.status).toBeGreaterThanOrEqual(400);
      context.expect(found.samples.map(({ labels }) => labels[label])).toEqual([value]);
    },
  });

export default [
  // That counter tells webhook, operation, type, error type and code.
  defineRule('metrics.webhook-rejection.labels', {
    needs: ['webhooks'],
    sabotage: [uncounted, ...['operation', 'type', 'error_type', 'rejection_code'].map(spoilLabel)],
    async check(context) {
      const { expect } = context;
      const validating = await rejected(context, denying({ code: 403 }));
      const labels = {
        name: validating.name,
        operation: 'CREATE',
        type: 'validating',
        error_type: 'no_error',
        rejection_code: '403',
      };
      expect(validating.samples).toEqual([{ labels, count: 1 }]);
      const mutating = await rejected(context, denying({ code: 403 }), 'mutating');
      expect(mutating.samples.map(({ labels: { type } }) => type)).toEqual(['admit']);
    },
  }),

  rejectionRule('error-type.calling', 'error_type', broken, 'calling_webhook_error'),
  rejectionRule('error-type.none', 'error_type', denying({ code: 403 }), 'no_error'),
  rejectionRule('error-type.internal', 'error_type', inapplicable, 'apiserver_internal_error', 'mutating'),
  rejectionRule('code', 'rejection_code', denying({ code: 451 }), '451'),
  rejectionRule('code-max', 'rejection_code', denying({ code: 700 }), '600'),

  // A code from 400 up is passed on to the client.
  defineRule('metrics.webhook-rejection.code-honoured', {
    needs: ['webhooks'],
    sabotage: [
      answerStatus(403, { method: 'POST', path: /\/secrets$/, instead: 418 }),
      replaceIn('code', { method: 'POST', path: /\/secrets$/ }),
    ],
    async check(context) {
      const found = await rejected(context, denying({ code: 418 }));
      context.expect(found.answer.status).toBe(418);
      context.expect(found.answer.body).toMatchObject({ kind: 'Status', status: 'Failure', code: 418 });
    },
  }),
];
