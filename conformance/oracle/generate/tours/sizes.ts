import { type PatchType, patchTypes } from '../../../verbs/patch-types.ts';
import { apiVersionOf } from '../../oracle-kind.ts';
import { nameOf, objectOf } from '../../samples/objects.ts';
import { inForm } from '../forms.ts';
import { dry, type KindStory } from '../story.ts';

/** Bytes of the largest body that there may be, and of the largest data of a ConfigMap. */
const [mostSent, mostKept] = [3 * 1024 * 1024, 1024 * 1024];

/** More than a server sends unpacked to who takes it packed. */
const worthPacking = 200 * 1024;

const encodings = ['gzip', 'gzip, deflate', 'deflate, br', 'identity', 'gzip;q=0', '*', ''];

/** A large answer and a small one to who takes it packed, or does not. */
export function packed(at: KindStory): void {
  at.create(objectOf(at.kind, 'a'));
  at.create({ ...objectOf(at.kind, 'large'), data: { a: 'x'.repeat(worthPacking) } });
  for (const encoding of encodings) {
    const headers = { 'accept-encoding': encoding };
    for (const word of ['a', 'large', 'none']) at.get(word, { headers, alongside: true });
    at.list({ headers, query: { labelSelector: 'app=<own>' }, alongside: true }, 1);
  }
  for (const form of ['yaml', 'protobuf', 'metadataList', 'table'] as const)
    at.list({ headers: { ...inForm(form).headers, 'accept-encoding': 'gzip' }, alongside: true }, 1);
}

/** What is as large as it may be, and one byte more, by each verb. */
export function sizes(at: KindStory): void {
  at.create(objectOf(at.kind, 'a'));
  for (const length of [mostKept, mostKept + 1])
    at.create({ ...objectOf(at.kind, 'b'), data: { a: 'x'.repeat(length) } }, dry);
  const name = nameOf(at.kind, 'a');
  const text = JSON.stringify({ apiVersion: apiVersionOf(at.kind), kind: at.kind.kind, metadata: { name } });
  const sent = (length: number) => ({ body: { text: text.padEnd(length) } });
  for (const length of [mostSent, mostSent + 1]) {
    at.story.add(`create ${at.label}`, 'POST', at.collection(1), { ...dry, ...sent(length) });
    at.story.add(`update ${at.label}`, 'PUT', at.item('a'), { ...dry, ...sent(length) });
    for (const type of ['merge', 'strategic', 'apply'] as const satisfies readonly PatchType[])
      at.story.add(`${type} patch ${at.label}`, 'PATCH', at.item('a'), {
        query: { ...dry.query, ...(type === 'apply' ? { fieldManager: 'alice', force: 'true' } : {}) },
        ...sent(length),
        headers: { 'content-type': patchTypes[type] },
      });
    const options = '{"apiVersion":"v1","kind":"DeleteOptions","dryRun":["All"]}';
    at.delete('a', { body: { text: options.padEnd(length) } });
  }
  copied(at);
}

/** A patch that makes much of little. */
function copied(at: KindStory): void {
  const [path, large] = ['/metadata/annotations', 'x'.repeat(100 * 1024)];
  for (const times of [20, 40])
    at.patch(
      'a',
      'json',
      [
        { op: 'add', path, value: { large } },
        ...Array.from({ length: times }, (_, at) => ({ op: 'copy', from: `${path}/large`, path: `${path}/c${at}` })),
        { op: 'replace', path, value: { few: 'yes' } },
      ],
      dry,
    );
}
