import { defineRule, type Rule } from '../rule.ts';
import { answerStatus, loseWrite, removeIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import type { RuleContext } from '../verbs/context.ts';

/** How the conditions of a kind are written: by an object of the rule's own and a patch of its status. */
export interface ConditionTarget {
  readonly kind: 'jobs' | 'namespaces';
  readonly make: (context: RuleContext) => Promise<string>;
}

const status = { path: /\/status$/ };

const writer =
  (context: RuleContext, { kind }: ConditionTarget, name: string) =>
  (condition: Json) =>
    context[kind].patch(name, { status: { conditions: [condition] } }, { sub: 'status' });

/** Controllers add conditions of their own. */
const ofType = (conditions: Json, type: string): Json => conditions?.find((one: Json) => one.type === type);

/** A member of a condition is needed, or one of some words; genuine servers do not check it. */
export const looseConditionRule = (
  id: string,
  target: ConditionTarget,
  accepted: readonly Json[],
  loose: readonly Json[],
): Rule =>
  defineRule(id, {
    sabotage: [
      loseWrite({ ...status, method: 'PATCH' }),
      answerStatus(422, { ...status, method: 'PATCH', instead: 200 }),
    ],
    async check(context) {
      const { expect, looser } = context;
      const name = await target.make(context);
      const write = writer(context, target, name);
      for (const condition of accepted) {
        expect((await write(condition)).status, JSON.stringify(condition)).toBe(200);
        const { conditions } = (await context[target.kind].read(name)).status;
        expect(ofType(conditions, condition.type), JSON.stringify(condition)).toMatchObject(condition);
      }
      for (const condition of loose) {
        const code = (await write(condition)).status;
        await looser(() => expect([400, 422], JSON.stringify(condition)).toContain(code));
      }
    },
  });

/** Members of a condition are kept as written, and refused when they are of the wrong type. */
export const typedConditionRule = (
  id: string,
  target: ConditionTarget,
  members: Readonly<Record<string, { good: Json; bad: Json }>>,
): Rule =>
  defineRule(id, {
    sabotage: [
      ...Object.keys(members).map((member) => removeIn(`status.conditions.*.${member}`, { method: 'GET' })),
      answerStatus(200, { ...status, method: 'PATCH', instead: [400, 422] }),
    ],
    async check(context) {
      const { expect } = context;
      const name = await target.make(context);
      const write = writer(context, target, name);
      const base = { type: 'Judged', status: 'True' };
      const good = Object.fromEntries(Object.entries(members).map(([member, value]) => [member, value.good]));
      expect((await write({ ...base, ...good })).status, 'as they should be').toBe(200);
      expect(ofType((await context[target.kind].read(name)).status.conditions, base.type)).toMatchObject(good);
      for (const [member, { bad }] of Object.entries(members)) {
        expect([400, 422], `${member}: ${JSON.stringify(bad)}`).toContain(
          (await write({ ...base, [member]: bad })).status,
        );
      }
    },
  });

const time = { good: '2024-05-06T07:08:09Z', bad: 'yesterday' };
const text = { good: 'Judged', bad: 7 };

export const times = (...members: readonly string[]): Record<string, { good: Json; bad: Json }> =>
  Object.fromEntries(members.map((member) => [member, time]));
export const texts = (...members: readonly string[]): Record<string, { good: Json; bad: Json }> =>
  Object.fromEntries(members.map((member) => [member, text]));
