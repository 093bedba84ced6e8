import { gunzipSync } from 'node:zlib';
import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { nameOf } from '../../verbs/states.ts';
import { marking } from '../../verbs/subjects.ts';
import { listForms } from './list-forms.ts';

/** Eight times this is more than servers keep in memory of an answer before they begin to send it. */
export const long = { metadata: { annotations: { 'example.com/long': 'abcdefghij'.repeat(20_000) } } };

/** An answer as it is once it is unpacked, where it came packed. */
function unpacked(answer: Answer): Answer {
  if (answer.headers['content-encoding'] !== 'gzip') return answer;
  const bytes = gunzipSync(answer.bytes);
  const text = bytes.toString();
  const isJson = /json/.test(answer.headers['content-type'] ?? '');
  return { ...answer, bytes, text, body: isJson ? JSON.parse(text) : undefined };
}

/** A list of more than a megabyte is as whole as a short one: in each form, and packed for whoever takes that. */
export async function listsWhatIsLong({ capabilities, expect }: RuleContext, objects: Collection): Promise<void> {
  const names = (await objects.createMany(8, long, 'long')).map(nameOf);
  for (const form of listForms.filter(({ needs }) => needs.every((need) => capabilities.includes(need)))) {
    for (const encoding of ['identity', 'gzip']) {
      const headers = { ...form.headers, 'accept-encoding': encoding };
      const answer = await objects.getAll(form.query, { headers });
      if (form.optional && answer.status === 406) continue;
      const what = `of more than a megabyte, as ${form.name}, ${encoding}`;
      expect(answer.status, what).toBe(200);
      expect(form.read(unpacked(answer)).names, what).toEqual(names);
    }
  }
  await tellsWhatIsLong(objects, expect);
}

/** One long object is as whole, whatever was done to it. */
async function tellsWhatIsLong(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const object = await objects.create(long);
  for (const encoding of ['identity', 'gzip']) {
    const headers = { 'accept-encoding': encoding };
    const told = {
      get: await objects.get(nameOf(object), '', { headers }),
      create: await objects.post(await objects.draft(long), { dryRun: 'All' }, { headers }),
      patch: await objects.patch(nameOf(object), marking(encoding), { headers }),
      'an indented get': await objects.get(nameOf(object), { pretty: 'true' }, { headers }),
    };
    for (const [what, answer] of Object.entries(told)) {
      const { headers: answered, bytes, body } = unpacked(answer);
      expect(body, `${what} of a long object, ${encoding}`).toMatchObject(long);
      const length = answered['content-length'];
      if (length !== undefined) expect(Number(length), `the length of ${what}, ${encoding}`).toBe(answer.bytes.length);
      expect(bytes.length, `${what} of a long object, ${encoding}`).toBeGreaterThan(100_000);
    }
  }
}
