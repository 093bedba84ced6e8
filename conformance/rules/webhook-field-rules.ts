import { defineRule, type Rule } from '../rule.ts';
import { storesRefused } from '../sabotage/careless.ts';
import { answerStatus, replaceIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import type { RuleContext } from '../verbs/context.ts';

type Configurations = 'validatingWebhooks' | 'mutatingWebhooks';

const posts = { method: 'POST', path: /webhookconfigurations$/ };
const both = { path: /webhookconfigurations(\/[^/]+)?$/ };

interface PostedHook {
  readonly status: number;
  /** As answered. */
  readonly hook: Json;
  /** As read afterwards; undefined where nothing was stored. */
  readonly stored: Json;
}

/** Webhooks with these members, each alone in a configuration; none of them ever matches a request. */
export async function postHook(context: RuleContext, kind: Configurations, over: Json): Promise<PostedHook> {
  const configurations = context[kind];
  const sample = configurations.sample();
  const { status, body } = await configurations.post({ ...sample, webhooks: [{ ...sample.webhooks[0], ...over }] });
  const stored = await configurations.get(sample.metadata.name);
  return { status, hook: body?.webhooks?.[0], stored: stored.body?.webhooks?.[0] };
}

/** What webhooks that are accepted say of themselves. */
const membersOf = (accepted: Readonly<Record<string, Json>>): readonly string[] => [
  ...new Set(Object.values(accepted).flatMap((over) => Object.keys(over))),
];

/** Some webhooks are accepted, others refused. */
export const hookRule = (
  id: string,
  kind: Configurations,
  accepted: Readonly<Record<string, Json>>,
  refused: Readonly<Record<string, Json>>,
): Rule =>
  defineRule(id, {
    sabotage: [
      answerStatus(201, { ...posts, instead: [400, 422] }),
      answerStatus(422, { ...posts, instead: 201 }),
      storesRefused(both),
      ...membersOf(accepted).map((member) => replaceIn(`webhooks.*.${member}`, { method: 'GET', ...both })),
    ],
    async check(context) {
      const { expect } = context;
      for (const [what, over] of Object.entries(accepted)) {
        const { status, hook, stored } = await postHook(context, kind, over);
        expect(status, what).toBe(201);
        for (const member of Object.keys(over)) expect(stored?.[member], what).toEqual(hook?.[member]);
        expect(hook, what).toMatchObject(over);
      }
      for (const [what, over] of Object.entries(refused)) {
        const { status, stored } = await postHook(context, kind, over);
        expect([400, 422], what).toContain(status);
        expect(stored, `${what}, as stored`).toBeUndefined();
      }
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
