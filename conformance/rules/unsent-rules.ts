import { behindSound } from '../checks/unfit/behind-sound.ts';
import { defineRule, type Rule } from '../rule.ts';
import { edited } from '../sabotage/edited.ts';
import { removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Answer, Json } from '../verbs/client.ts';
import type { RuleContext } from '../verbs/context.ts';
import { said } from '../verbs/said.ts';
import { nameOf } from '../verbs/states.ts';
import { type FieldRule, mergedParts, pathsOf, sampleFor, valueAt } from './field-rules.ts';

interface UnsentRule extends FieldRule {
  readonly over: Json;
  readonly path: string;
}

const writes = ['POST', 'PUT', 'PATCH'];

/** A value that is left out is filled in, of a new object and of one that loses it. */
export function defaultRule({
  over = {},
  value,
  ...parts
}: Omit<UnsentRule, 'over'> & { over?: Json; value: Json }): Rule {
  const { id, kind, path } = parts;
  return defineRule(id, {
    sabotage: [
      replaceIn(path, { ...pathsOf(kind), with: 'other' }),
      ...[undefined, ...writes].map((method) => removeIn(path, { ...pathsOf(kind), ...(method && { method }) })),
    ],
    check: (context) => fillsIn(context, { ...parts, over }, value),
  });
}

async function fillsIn(context: RuleContext, { kind, over, path }: UnsentRule, value: Json): Promise<void> {
  const { expect } = context;
  const answer = await context[kind].post(await sampleFor(context, kind, over));
  expect(answer.status, said(answer)).toBe(201);
  expect(valueAt(answer.body, path), path).toEqual(value);
  const { resourceVersion: _, ...metadata } = answer.body.metadata;
  const steps = path.split('.');
  const lacking = { ...edited(answer.body, steps, () => undefined), metadata };
  const replaced = await context[kind].put(lacking);
  expect(valueAt(replaced.body, path), `${path} after an update without it`).toEqual(value);
  const patched = await context[kind].patch(metadata.name, patchTo(lacking, steps));
  expect(valueAt(patched.body, path), `${path} after a merge patch without it`).toEqual(value);
}

/** A merge patch that makes an object lack a value as this one does: lists are given whole. */
function patchTo(lacking: Json, [step = '', ...more]: readonly string[]): Json {
  if (Array.isArray(lacking)) return lacking;
  return { [step]: more.length > 0 ? patchTo(lacking[step], more) : null };
}

/** A value that is sent is passed over, whatever write brings it, be it in the first of a list or behind it. */
export const droppedRule = (parts: UnsentRule): Rule =>
  defineRule(parts.id, {
    sabotage: writes.map((method) => replaceIn(parts.path, { ...pathsOf(parts.kind), method, with: 'kept' })),
    async check(context) {
      await passesOver(context, parts);
      const [behind] = behindSound(await sampleFor(context, parts.kind), parts.over);
      if (behind) await passesOver(context, { ...parts, over: behind, path: parts.path.replace('.0.', '.1.') });
    },
  });

async function passesOver(context: RuleContext, parts: UnsentRule): Promise<void> {
  const { expect } = context;
  const { kind, path } = parts;
  const { name } = (await context[kind].create(await sampleFor(context, kind))).metadata;
  for (const [write, send] of Object.entries(await bringing(context, parts, name))) {
    const answered = await send();
    expect([200, 201], `${write}: ${said(answered)}`).toContain(answered.status);
    expect(valueAt(answered.body, path), `${path} after ${write}`).toBeUndefined();
    const stored = await context[kind].read(nameOf(answered.body));
    expect(valueAt(stored, path), `${path} after ${write}, as stored`).toBeUndefined();
  }
}

/** Every write that can bring a value: to a new object, and to the one of this name. */
async function bringing(
  context: RuleContext,
  { kind, over }: UnsentRule,
  name: string,
): Promise<Readonly<Record<string, () => Promise<Answer>>>> {
  const objects = context[kind];
  const sample = await sampleFor(context, kind, over);
  const { metadata: read, ...rest } = await objects.read(name);
  const { resourceVersion: _, ...metadata } = read;
  const operations = Object.entries<Json>(over).map(([member, value]) => ({
    ...{ op: 'replace', path: `/${member}`, value: mergedParts(rest[member], value) },
  }));
  return {
    'a create': () => objects.post(sample),
    'an update': () => objects.put(mergedParts({ ...rest, metadata }, over)),
    'a merge patch': () => objects.patch(name, over),
    'a JSON patch': () => objects.patch(name, operations, { type: 'json' }),
    'a strategic merge patch': () => objects.patch(name, over, { type: 'strategic' }),
    'an apply': () => objects.tryApply(name, over, 'applier', { force: 'true' }),
  };
}
