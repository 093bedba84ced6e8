import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import { configure, type HookParts, patchWith } from '../../verbs/webhooks.ts';
import { broken, denying, ownName, rejected, spoilLabel, uncounted } from '../webhook-rejections.ts';

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

  // A webhook that said no counts as `no_error`.
  defineRule('metrics.webhook-rejection.error-type.none', {
    needs: ['webhooks'],
    sabotage: [uncounted, spoilLabel('error_type')],
    async check(context) {
      const name = ownName(context);
      // What fails, and is ignored, rejects nothing.
      await configure(context, 'validating', [{ ...broken, over: { name, failurePolicy: 'Ignore' } }]);
      const { answer, samples } = await rejected(context, denying({ code: 403 }), 'validating', name);
      context.expect(answer.status).toBe(403);
      context.expect(samples.map(({ labels }) => labels['error_type'])).toEqual(['no_error']);
    },
  }),

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
