import { defineRule, type Rule } from '../rule.ts';
import { storesRefused } from '../sabotage/careless.ts';
import { answerStatus, replaceIn } from '../sabotage/transforms.ts';
import type { Answer, Json } from '../verbs/client.ts';
import type { Collection } from '../verbs/collection.ts';
import type { RuleContext } from '../verbs/context.ts';

type Configurations = 'validatingWebhooks' | 'mutatingWebhooks';
export const bothSorts: readonly Configurations[] = ['validatingWebhooks', 'mutatingWebhooks'];
type Variants = Readonly<Record<string, Json>>;

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
const membersOf = (accepted: Variants): readonly string[] => [
  ...new Set(Object.values(accepted).flatMap((over) => Object.keys(over))),
];

/** The answer to an update that gives the one webhook of a configuration these members. */
async function putHook(configurations: Collection, name: string, over: Json): Promise<Answer> {
  const stored = await configurations.read(name);
  return configurations.put({ ...stored, webhooks: [{ ...stored.webhooks[0], ...over }] });
}

async function acceptsHooks(context: RuleContext, kind: Configurations, accepted: Variants): Promise<void> {
  const { expect } = context;
  for (const [what, over] of Object.entries(accepted)) {
    const { status, hook, stored } = await postHook(context, kind, over);
    expect(status, what).toBe(201);
    for (const member of Object.keys(over)) expect(stored?.[member], what).toEqual(hook?.[member]);
    expect(hook, what).toMatchObject(over);
  }
}

async function refusesHooks(context: RuleContext, kind: Configurations, refused: Variants): Promise<void> {
  const { expect } = context;
  const { metadata } = await context[kind].create();
  for (const [what, over] of Object.entries(refused)) {
    const { status, stored } = await postHook(context, kind, over);
    expect([400, 422], what).toContain(status);
    expect(stored, `${what}, as stored`).toBeUndefined();
    expect([400, 422], `${what}, by an update`).toContain((await putHook(context[kind], metadata.name, over)).status);
  }
  expect((await context[kind].read(metadata.name)).metadata.generation, 'after that').toBe(metadata.generation);
}

/** Some webhooks are accepted, others refused, of both sorts, and neither may one that is in order become such. */
export const hookRule = (id: string, accepted: Variants, refused: Variants): Rule =>
  defineRule(id, {
    sabotage: [
      answerStatus(201, { ...posts, instead: [400, 422] }),
      answerStatus(422, { ...posts, instead: 201 }),
      answerStatus(200, { method: 'PUT', path: /validatingwebhookconfigurations/, instead: [400, 422] }),
      storesRefused(both),
      ...membersOf(accepted).map((member) => replaceIn(`webhooks.*.${member}`, { method: 'GET', ...both })),
    ],
    async check(context) {
      for (const kind of bothSorts) {
        await acceptsHooks(context, kind, accepted);
        await refusesHooks(context, kind, refused);
      }
    },
  });

/** A member that is left out is filled in, and takes certain words only. */
export const hookDefaultRule = (
  id: string,
  kinds: readonly Configurations[],
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
      const { expect } = context;
      for (const kind of kinds) {
        const { status, hook } = await postHook(context, kind, { [member]: undefined });
        expect(status).toBe(201);
        expect(hook?.[member], 'when left out').toBe(value);
        const { metadata } = await context[kind].create();
        const replaced = await putHook(context[kind], metadata.name, { [member]: undefined });
        expect(replaced.body?.webhooks?.[0]?.[member], 'when an update leaves it out').toBe(value);
        for (const word of words) expect((await postHook(context, kind, { [member]: word })).status, word).toBe(201);
        if (words.length > 0) await refusesHooks(context, kind, { 'another word': { [member]: 'Perhaps' } });
      }
    },
  });
