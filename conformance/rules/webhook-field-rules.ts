import { defineRule, type Rule } from '../rule.ts';
import { answerStatus, replaceIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import type { RuleContext } from '../verbs/context.ts';

type Configurations = 'validatingWebhooks' | 'mutatingWebhooks';

const posts = { method: 'POST', path: /webhookconfigurations$/ };

/** Webhooks with these members, each alone in a configuration; none of them ever matches a request. */
export async function postHook(
  context: RuleContext,
  kind: Configurations,
  over: Json,
): Promise<{ status: number; hook: Json }> {
  const configurations = context[kind];
  const sample = configurations.sample();
  const { status, body } = await configurations.post({ ...sample, webhooks: [{ ...sample.webhooks[0], ...over }] });
  return { status, hook: body?.webhooks?.[0] };
}

/** Some webhooks are accepted, others refused. */
export const hookRule = (
  id: string,
  kind: Configurations,
  accepted: Readonly<Record<string, Json>>,
  refused: Readonly<Record<string, Json>>,
): Rule =>
  defineRule(id, {
    sabotage: [answerStatus(201, { ...posts, instead: [400, 422] }), answerStatus(422, { ...posts, instead: 201 })],
    async check(context) {
      for (const [what, over] of Object.entries(accepted))
        context.expect((await postHook(context, kind, over)).status, what).toBe(201);
      for (const [what, over] of Object.entries(refused))
        context.expect([400, 422], what).toContain((await postHook(context, kind, over)).status);
    },
  });

/** A member that is left out is filled in, and takes certain words only. */
export const hookDefaultRule = (
  id: string,
  kind: Configurations,
  member: string,
  value: Json,
  words: readonly string[],
): Rule =>
  defineRule(id, {
    sabotage: [
      replaceIn(`webhooks.*.${member}`, { ...posts, with: 'other' }),
      ...(words.length > 0 ? [answerStatus(201, { ...posts, instead: [400, 422] })] : []),
    ],
    async check(context) {
      const { status, hook } = await postHook(context, kind, { [member]: undefined });
      context.expect(status).toBe(201);
      context.expect(hook?.[member], 'when left out').toBe(value);
      for (const word of words)
        context.expect((await postHook(context, kind, { [member]: word })).status, word).toBe(201);
      if (words.length > 0)
        context
          .expect([400, 422], 'another word')
          .toContain((await postHook(context, kind, { [member]: 'Perhaps' })).status);
    },
  });
