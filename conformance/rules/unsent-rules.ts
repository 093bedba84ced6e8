import { defineRule, type Rule } from '../rule.ts';
import { edited } from '../sabotage/edited.ts';
import { removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Answer, Json } from '../verbs/client.ts';
import { apiVersionOf } from '../verbs/kinds.ts';
import { nameOf } from '../verbs/states.ts';
import { type FieldRule, mergedParts, pathsOf, sampleFor, valueAt } from './field-rules.ts';

/** A value that is left out is filled in, of a new object and of one that loses it. */
export function defaultRule({
  id,
  kind,
  over = {},
  path,
  value,
}: FieldRule & { over?: Json; path: string; value: Json }): Rule {
  return defineRule(id, {
    sabotage: [
      removeIn(path, pathsOf(kind)),
      replaceIn(path, { ...pathsOf(kind), with: 'other' }),
      ...['PUT', 'PATCH'].map((method) => removeIn(path, { ...pathsOf(kind), method })),
    ],
    async check(context) {
      const { expect } = context;
      const { status, body } = await context[kind].post(await sampleFor(context, kind, over));
      expect(status, body?.message).toBe(201);
      expect(valueAt(body, path), path).toEqual(value);
      const { resourceVersion: _, ...metadata } = body.metadata;
      const steps = path.split('.');
      const lacking = { ...edited(body, steps, () => undefined), metadata };
      const replaced = await context[kind].put(lacking);
      expect(valueAt(replaced.body, path), `${path} after an update without it`).toEqual(value);
      const patched = await context[kind].patch(metadata.name, patchTo(lacking, steps));
      expect(valueAt(patched.body, path), `${path} after a merge patch without it`).toEqual(value);
    },
  });
}

/** A merge patch that makes an object lack a value as this one does: lists are given whole. */
function patchTo(lacking: Json, [step = '', ...more]: readonly string[]): Json {
  if (Array.isArray(lacking)) return lacking;
  return { [step]: more.length > 0 ? patchTo(lacking[step], more) : null };
}

/** A value that is sent is passed over, whatever write brings it. */
export function droppedRule({ id, kind, over, path }: FieldRule & { over: Json; path: string }): Rule {
  return defineRule(id, {
    sabotage: ['POST', 'PUT', 'PATCH'].map((method) => replaceIn(path, { ...pathsOf(kind), method, with: 'kept' })),
    async check(context) {
      const { expect } = context;
      const objects = context[kind];
      const made = await objects.post(await sampleFor(context, kind, over));
      const { resourceVersion: _, ...metadata } = (await objects.create(await sampleFor(context, kind))).metadata;
      const { name } = metadata;
      const whole = mergedParts({ ...(await objects.read(name)), metadata }, over);
      const [[member, value] = []] = Object.entries<Json>(over);
      const applied = { apiVersion: apiVersionOf(objects.at), kind: objects.at.kind, metadata: { name }, ...over };
      const query = { fieldManager: 'applier', force: 'true' };
      const part = mergedParts(whole[member ?? ''], value);
      const writes: Readonly<Record<string, () => Promise<Answer>>> = {
        update: () => objects.put(whole),
        'merge patch': () => objects.patch(name, over),
        'JSON patch': () => objects.patch(name, [{ op: 'replace', path: `/${member}`, value: part }], { type: 'json' }),
        'strategic merge patch': () => objects.patch(name, over, { type: 'strategic' }),
        apply: () => objects.patch(name, applied, { type: 'apply', query }),
      };
      expect(made.status, made.body?.message).toBe(201);
      expect(valueAt(made.body, path), `${path} of a new object`).toBeUndefined();
      expect(
        valueAt(await objects.read(nameOf(made.body)), path),
        `${path} of a new object, as stored`,
      ).toBeUndefined();
      for (const [write, send] of Object.entries(writes)) {
        const { status, body } = await send();
        expect(status, `${write}: ${body?.message ?? ''}`).toBe(200);
        expect(valueAt(body, path), `${path} after ${write}`).toBeUndefined();
        expect(valueAt(await objects.read(name), path), `${path} after ${write}, as stored`).toBeUndefined();
      }
    },
  });
}
