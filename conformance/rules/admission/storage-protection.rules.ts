import { defineRule, type Rule } from '../../rule.ts';
import { changeAnswer, removeIn } from '../../sabotage/transforms.ts';
import type { Answer, Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { type KindName, kindPaths } from '../../verbs/kinds.ts';
import { said } from '../../verbs/said.ts';

const own = 'example.com/own';
const bearing = { metadata: { finalizers: [own] } };

/** New objects, however they are made and whatever else holds them. */
async function madeOf(context: RuleContext, kind: KindName): Promise<Readonly<Record<string, Answer>>> {
  const objects = context[kind];
  const apply = (parts: Json): Promise<Answer> => {
    const name = context.unique();
    return objects.tryApply(name, objects.sample({ metadata: { name, ...parts.metadata } }), 'applier');
  };
  const unnamed = { metadata: { name: undefined, generateName: 'held-' } };
  return {
    'a new object': await objects.post(objects.sample()),
    'one that has another finalizer': await objects.post(objects.sample(bearing)),
    'one whose name is generated': await objects.post(objects.sample(unnamed)),
    'one that is applied': await apply({}),
    'one that is applied with another finalizer': await apply(bearing),
  };
}

/** The finalizers that were asked for are all that there are. */
const keepsToAsked = (body: Json): Json =>
  body?.metadata?.finalizers?.length > 1 ? { ...body, metadata: { ...body.metadata, ...bearing.metadata } } : body;

/** All new objects of the kind get a finalizer, beside their own. */
const protectionRule = (id: string, kind: KindName, finalizer: string): Rule => {
  const { resource } = kindPaths[kind];
  const collection = { path: new RegExp(`/${resource}$`) };
  return defineRule(`admission.storage-protection.${id}`, {
    sabotage: [
      removeIn('metadata.finalizers', collection),
      removeIn('metadata.finalizers', { method: 'PATCH', path: new RegExp(`/${resource}/`) }),
      changeAnswer('keeps to what was asked for', keepsToAsked, collection),
    ],
    async check(context) {
      const { expect } = context;
      for (const [what, answer] of Object.entries(await madeOf(context, kind))) {
        expect(answer.status, `${what}: ${said(answer)}`).toBe(201);
        expect(answer.body.metadata.finalizers ?? [], what).toContain(finalizer);
        if (what.includes('another')) expect(answer.body.metadata.finalizers, what).toContain(own);
      }
    },
  });
};

export default [
  // A new claim gets the finalizer `kubernetes.io/pvc-protection`.
  protectionRule('claims', 'persistentVolumeClaims', 'kubernetes.io/pvc-protection'),
  // A new volume gets the finalizer `kubernetes.io/pv-protection`.
  protectionRule('volumes', 'persistentVolumes', 'kubernetes.io/pv-protection'),
];
