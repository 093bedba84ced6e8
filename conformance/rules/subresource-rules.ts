import type { defineRule, Rule } from '../rule.ts';
import { answerStatus, notFound, replaceIn } from '../sabotage/transforms.ts';
import type { Answer, Json } from '../verbs/client.ts';
import type { Collection } from '../verbs/collection.ts';
import type { RuleContext } from '../verbs/context.ts';
import { said } from '../verbs/said.ts';

type Check = (collection: Collection, context: RuleContext) => Promise<void>;

export type MakeRule = (name: string, sabotage: Parameters<typeof defineRule>[1]['sabotage'], check: Check) => Rule;
export type MakeObject = (objects: Collection, context: RuleContext) => Promise<Json>;

/** A controller may change a new object at any time: whoever loses against it reads again and retries. */
export async function putNewest(
  objects: Collection,
  object: Json,
  change: (newest: Json) => Json,
  sub = '',
): Promise<Answer> {
  let answer = await objects.put(change(object), '', { sub });
  for (let round = 0; round < 5 && answer.status === 409; round++)
    answer = await objects.put(change(await objects.read(object.metadata.name)), '', { sub });
  return answer;
}

/** A JSON patch that puts in each member of a status. */
const membersOf = (status: Json): Json =>
  Object.entries(status).map(([name, value]) => ({ op: 'add', path: `/status/${name}`, value }));

/** `get-status`, `replace-status`, `patch-status` and the like, for one subresource. */
export function subresourceRules(rule: MakeRule, kind: string, sub: string, make: MakeObject, status?: Json): Rule[] {
  const spoilt = (method: string, path = new RegExp(`/${sub}$`)) => [
    notFound({ method, path }),
    answerStatus(203, { method, path }),
    ...(method === 'GET'
      ? [replaceIn('metadata.uid', { method, path })]
      : [replaceIn('kind', { method, path, with: 'Status' })]),
    // What a controller makes of it later is not in the answer to who has told it.
    ...(status && method !== 'GET' ? [replaceIn('status.*', { method, path, with: null })] : []),
  ];
  return [
    rule(`get-${sub}`, spoilt('GET'), showsIt(kind, sub, make)),
    rule(`replace-${sub}`, spoilt('PUT'), replacesIt(kind, sub, make, status)),
    rule(`patch-${sub}`, spoilt('PATCH'), patchesIt(kind, sub, make, status)),
  ];
}

const showsIt =
  (kind: string, sub: string, make: MakeObject): Check =>
  async (objects, context) => {
    const { metadata } = await make(objects, context);
    const { status, body } = await objects.get(metadata.name, '', { sub });
    context.expect(status).toBe(200);
    context.expect(body).toMatchObject({ kind, metadata: { uid: metadata.uid } });
  };

const replacesIt =
  (kind: string, sub: string, make: MakeObject, status?: Json): Check =>
  async (objects, context) => {
    const told = status ? { status } : {};
    const object = await make(objects, context);
    const answer = await putNewest(objects, object, (newest) => ({ ...newest, ...told }), sub);
    context.expect([200, 201], said(answer)).toContain(answer.status);
    context.expect(answer.body).toMatchObject({ kind, metadata: { uid: object.metadata.uid }, ...told });
  };

const patchesIt =
  (kind: string, sub: string, make: MakeObject, status?: Json): Check =>
  async (objects, context) => {
    const told = status ? { status } : {};
    for (const type of status ? (['merge', 'json'] as const) : (['merge'] as const)) {
      const { metadata } = await make(objects, context);
      const patch = type === 'json' ? membersOf(status) : told;
      const answer = await objects.patch(metadata.name, patch, { sub, type });
      context.expect([200, 201], said(answer)).toContain(answer.status);
      context.expect(answer.body).toMatchObject({ kind, metadata: { uid: metadata.uid }, ...told });
    }
  };
