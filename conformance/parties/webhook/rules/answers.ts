import { randomUUID } from 'node:crypto';
import type { Json } from '../../../verbs/client.ts';
import { merged } from '../../../verbs/merged.ts';
import { documented, impliedUnder, type PartyRule } from '../../party.ts';
import { effectOf, operationsOf, type Response, type WebhookContext } from '../context.ts';
import { reviewOf } from '../reviews.ts';

const rule = impliedUnder<WebhookContext>('webhook');

/** What no patch may change. */
function identityOf(object: unknown): Json {
  const { apiVersion, kind, metadata: { name, generateName, namespace } = {} as Json } = (object ?? {}) as Json;
  return { apiVersion, kind, name, generateName, namespace };
}

/** All that is said to every one of the requests. */
async function allAnswers({ ask, every }: WebhookContext): Promise<readonly (readonly [string, Response])[]> {
  const answers: (readonly [string, Response])[] = [];
  for (const [what, asked] of every) answers.push([what, await ask(reviewOf(asked))]);
  return answers;
}

/** Warnings of all answers; a webhook that gives none cannot be judged by them. */
async function warningsOf(context: WebhookContext): Promise<readonly string[]> {
  const warnings = (await allAnswers(context)).flatMap(([, answer]) => (answer.warnings ?? []) as string[]);
  if (warnings.length === 0) context.skip('the webhook gives no warning of anything it is asked');
  for (const warning of warnings) context.expect(warning, 'a warning').toBeTypeOf('string');
  return warnings;
}

/** What it answers. */
export const answerRules: readonly PartyRule<WebhookContext>[] = [
  rule(
    'answer.uid',
    'An answer carries the uid of the request, and its verdict as a boolean.',
    ['webhook.response.uid', 'webhook.response.allowed'],
    ['own-uid', 'wordy-verdict'],
    async (context) => {
      for (const [what, asked] of context.every) {
        const review = reviewOf(asked);
        const { uid, allowed } = await context.ask(review);
        context.expect(uid, `uid of the answer: ${what}`).toBe(review.request.uid);
        context.expect(allowed, `allowed: ${what}`).toBeTypeOf('boolean');
      }
    },
  ),
  rule(
    'answer.version',
    'A review is answered in its own version, or refused with 400 when that is not understood.',
    ['webhook.response.same-version'],
    'other-version',
    async ({ send, usual, expect }) => {
      let understood = 0;
      for (const version of ['v1', 'v1beta1'] as const) {
        const { status, body } = await send(JSON.stringify(reviewOf(usual, version)));
        if (status === 400) continue;
        understood += 1;
        expect(status, `status for ${version}`).toBe(200);
        expect(body?.apiVersion, `version of the answer to ${version}`).toBe(`admission.k8s.io/${version}`);
      }
      expect(understood, 'versions that are understood').toBeGreaterThan(0);
    },
  ),
  rule(
    'answer.patch',
    'A patch is a JSON Patch in base64, says so, can be applied to the object, and leaves it what and where it is.',
    ['webhook.response.patch', 'webhook.response.patch-type'],
    ['plain-patch', 'patch-nowhere', 'patch-without-type', 'renames'],
    async (context) => {
      const { expect, changed, every } = context;
      for (const [what, asked] of every) {
        const response = await context.ask(reviewOf(asked));
        if (response.patch === undefined) continue;
        expect(response.patchType, `patchType: ${what}`).toBe('JSONPatch');
        expect(() => operationsOf(response.patch), `patch: ${what}`).not.toThrow();
        expect(identityOf(changed(asked.object, response)), `what was patched: ${what}`).toEqual(
          identityOf(asked.object),
        );
      }
    },
  ),
  rule(
    'answer.patch-spares',
    'What a patch is not about stays: labels, annotations and fields that the webhook does not know.',
    ['webhook.response.patch', 'webhook.mutating-may-change'],
    ['replaces-labels', 'replaces-object'],
    async ({ ask, changed, every, expect }) => {
      const strange = `example.com/${randomUUID()}`;
      const marks = { [strange]: 'kept' };
      for (const [what, asked] of every) {
        if (asked.object === null || asked.operation === 'CONNECT') continue;
        const object = merged(asked.object, { later: marks, metadata: { labels: marks, annotations: marks } });
        const { later, metadata } = changed(object, await ask(reviewOf({ ...asked, object }))) as Json;
        const kept = { later, labels: metadata?.labels, annotations: metadata?.annotations };
        expect(kept, `what stays: ${what}`).toMatchObject({ later: marks, labels: marks, annotations: marks });
      }
    },
    'should',
  ),
  rule(
    'answer.refusal',
    'A refusal has a message for people, and its code, if there is one, is that of an error.',
    ['webhook.response.status.code', 'webhook.response.status.message', 'webhook.response.status.optional'],
    ['mute-refusal', 'refusal-200'],
    async (context) => {
      const refusals = (await allAnswers(context)).filter(([, { allowed }]) => allowed === false);
      if (refusals.length === 0) context.skip('the webhook refuses nothing that it is asked');
      for (const [what, { status }] of refusals) {
        context.expect(status?.message, `message: ${what}`).toMatch(/\S/);
        if (status?.code !== undefined) {
          context.expect(status.code, `code: ${what}`).toBeGreaterThanOrEqual(400);
          context.expect(status.code, `code: ${what}`).toBeLessThan(600);
        }
      }
    },
    'should',
  ),
  // A warning does not begin with `Warning:` itself.
  documented<WebhookContext>('webhook.response.warnings.no-prefix', {
    fault: 'warning-prefix',
    async check(context) {
      for (const warning of await warningsOf(context)) context.expect(warning).not.toMatch(/^\s*warning:/i);
    },
  }),
  // A warning keeps to 120 characters if it can.
  documented<WebhookContext>('webhook.response.warnings.length', {
    fault: 'long-warning',
    async check(context) {
      for (const warning of await warningsOf(context))
        context.expect(warning.length, `letters of: ${warning}`).toBeLessThanOrEqual(120);
    },
  }),
  // Asking a mutating webhook twice does no more than asking it once.
  documented<WebhookContext>('webhook.author.idempotent', {
    fault: ['counts-on', 'moody'],
    async check(context) {
      const { ask, changed, every, expect } = context;
      for (const [what, asked] of every) {
        const [first, second] = [await ask(reviewOf(asked)), await ask(reviewOf(asked))];
        expect(effectOf(asked.object, second), `the same asked twice: ${what}`).toEqual(effectOf(asked.object, first));
        if (first.patch === undefined || asked.object === null) continue;
        const object = changed(asked.object, first) as object;
        const again = await ask(reviewOf({ ...asked, object }));
        expect(changed(object, again), `its own patch once more: ${what}`).toEqual(object);
      }
    },
  }),
];
