import { parse } from 'yaml';
import type { Expect } from '../../assertions.ts';
import { heldFrom } from '../../holds-for.ts';
import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import type { PatchType } from '../../verbs/patch-types.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { marking, plainKinds, type Subject } from '../../verbs/subjects.ts';
import type { WatchEvent } from '../../verbs/watch.ts';
import { unversioned } from '../requests/writes.ts';

const held = { metadata: { finalizers: ['example.com/one'] } };
const background = { propagationPolicy: 'Background' };
const inMeta = (kind: string, version = 'v1'): string =>
  `application/json;as=${kind};g=meta.k8s.io;v=${version}, application/json`;

/** Servers before v1.24 have a status in no other form than the plain one. */
export const showsStatus = (version: string): boolean => heldFrom({ from: 24 }, version) === undefined;

type Headers = Readonly<Record<string, string>>;

/** Patches of each type that a kind takes. */
const patchesOf = ({ at }: Collection, { custom }: Subject): readonly (readonly [PatchType, Json])[] => [
  ['merge', marking('merged')],
  ['json', [{ op: 'add', path: '/metadata/annotations/example.com~1round', value: 'operated' }]],
  ...(custom ? [] : [['strategic', marking('strategic')] as const]),
  ['apply', { apiVersion: apiVersionOf(at), kind: at.kind, ...marking('applied') }],
];

/** Each way to have an object answered, one after the other. */
async function* answered(
  objects: Collection,
  kind: Subject,
  headers: Headers,
  version: string,
): AsyncGenerator<[string, Answer]> {
  const body = await objects.draft(held);
  const name = nameOf(body);
  yield ['a create', await objects.post(body, '', { headers })];
  yield ['a get', await objects.get(name, '', { headers })];
  const changed = merged(unversioned(kind, await objects.read(name)), marking('put'));
  yield ['an update', await objects.put(changed, '', { headers })];
  for (const [type, patch] of patchesOf(objects, kind)) {
    const query = type === 'apply' ? { fieldManager: 'touchstone-former', force: 'true' } : {};
    yield [`a ${type} patch`, await objects.patch(name, patch, { type, headers, query })];
  }
  if (kind.status && showsStatus(version)) {
    yield ['a get of the status', await objects.get(name, '', { sub: 'status', headers })];
    yield ['a patch of the status', await objects.patch(name, kind.status(1), { sub: 'status', headers })];
  }
  yield ['a delete of what is held', await objects.delete(name, { query: background, headers })];
  await objects.patch(name, { metadata: { finalizers: null } });
}

/** Whoever asks for a table, or for metadata alone, has it of whatever shows an object: not of reads alone. */
export async function answersInForm(
  { version, expect }: RuleContext,
  objects: Collection,
  kind: Subject,
): Promise<void> {
  const forms: Readonly<Record<string, (body: Json) => Json>> = {
    Table: ({ rows }) => rows[0].object.metadata,
    PartialObjectMetadata: ({ metadata }) => metadata,
  };
  for (const [form, metadataOf] of Object.entries(forms)) {
    const asked = nameOf(await objects.create());
    const headers = { accept: inMeta(form) };
    // The documents do not ask for metadata alone.
    if ((await objects.get(asked, '', { headers })).body?.kind !== form && form !== 'Table') continue;
    for await (const [what, answer] of answered(objects, kind, headers, version)) {
      const { body } = answer;
      expect(answer.status, `${what}: ${said(answer)}`).toBeLessThan(300);
      expect(body.kind, what).toBe(form);
      expect(metadataOf(body).name, what).toBeTypeOf('string');
      expect(body.spec ?? body.status ?? body.data, `${what}: what is no metadata`).toBeUndefined();
    }
  }
}

/** Words and signs that YAML, of one version or another, takes for something else than text. */
const words = [
  ...['y', 'n', 'Yes', 'NO', 'on', 'off', 'true', 'False', 'null', '~', ''],
  ...[' a', 'a ', 'a: b', 'a #b', '#a', '- a', '-', '1', '-1', '1.5', '1e3', '0x1F', '0o17', '017', '1_000', '.5'],
  ...['12:30', '2001-02-03', '@a', '%a', '&a', '*a', '!a', '|', '>', '{a', '[a', '"a"', "it's", '? a'],
  ...['a\nb', 'a\n', 'a\n\nb', 'a\n\n\nb\n', '\ta', 'a\r\nb', 'a\rb', '---', 'ä ✓ 語', '😀'],
  // Too long for a line, which may end at any blank that stands alone.
  ...['one two  three '.repeat(20).trim(), 'one-two-three'.repeat(20)],
] as const;
/** Keys are texts as well, whatever they look like. */
const keys = ['y', 'n', 'Yes', 'NO', 'on', 'off', 'true', 'False', 'null', '1', '1.5', '1e3', '0x1F', '017', '1_000'];
const worded = {
  metadata: {
    annotations: Object.fromEntries([
      ...words.map((word, index) => [`example.com/w-${index}`, word]),
      ...keys.map((key) => [key, 'a key']),
    ]),
  },
};

/** What is told in YAML is the same as in JSON, whichever version of YAML a reader takes it for. */
export async function tellsSameInYaml({ expect }: RuleContext, objects: Collection): Promise<void> {
  const headers = { accept: 'application/yaml' };
  const name = nameOf(await objects.create(worded));
  const inYaml = await objects.get(name, '', { headers });
  // The documents do not ask for it.
  if (inYaml.status === 406) return;
  const seen = await objects.get(name);
  // Where others write as well it may have changed meanwhile.
  const whole = parse(inYaml.text);
  if (versionOf(whole) === versionOf(seen.body)) expect(whole, 'in YAML').toEqual(seen.body);
  const list = await objects.viewed('labels').getAll('', { headers });
  // A point is a key of managedFields, and no text to every reader of 1.1.
  for (const version of ['1.1', '1.2'] as const) {
    expect(parse(inYaml.text, { version }), `in YAML ${version}`).toMatchObject(worded);
    const item = parse(list.text, { version }).items.find((one: Json) => nameOf(one) === name);
    expect(item, `listed in YAML ${version}`).toMatchObject(worded);
  }
}

/** What is told of an object that nobody else changes: it is made, changed, held, marked and removed. */
const life = ['ADDED', 'MODIFIED', 'MODIFIED', 'MODIFIED', 'DELETED'];

/** Each event has the form in which the object is read as well, and a version of its own. */
function areInForm(events: readonly WatchEvent[], form: Json, whole: boolean, expect: Expect): void {
  const versions = new Set<string>();
  for (const { type, object } of events) {
    const its = [object.kind, object.apiVersion];
    expect(its, `${type} in a watch`).toEqual([form.kind, form.apiVersion]);
    expect(versions, `${type}: the version from which to go on`).not.toContain(versionOf(object));
    versions.add(versionOf(object));
    if (!whole) expect(object.spec ?? object.status ?? object.data, `${type}: what is no metadata`).toBeUndefined();
  }
}

/** An object's life, from its making to its end; shown in each of these forms when it is going. */
async function lives(objects: Collection, forms: readonly Headers[]): Promise<readonly Json[]> {
  const name = nameOf(await objects.create());
  await objects.merge(name, marking('new'));
  await objects.merge(name, held);
  await objects.delete(name, { query: background });
  const shown: Json[] = [];
  for (const headers of forms) shown.push((await objects.get(name, '', { headers })).body);
  await objects.patch(name, { metadata: { finalizers: null } });
  return shown;
}

const metaVersions = ['v1', 'v1beta1'] as const;

/** A list of metadata alone is of the version that is asked for, and so is each of its items. @returns its version */
async function listsMetadataAlone(viewed: Collection, expect: Expect): Promise<string> {
  let listed = '';
  for (const version of metaVersions) {
    const { body } = await viewed.getAll('', { headers: { accept: inMeta('PartialObjectMetadataList', version) } });
    listed = versionOf(body);
    // The documents do not ask for it.
    if (body.kind === `${viewed.at.kind}List`) continue;
    const apiVersion = `meta.k8s.io/${version}`;
    expect(body, 'a list').toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion });
    for (const item of body.items)
      expect(item, 'in a list').toMatchObject({ kind: 'PartialObjectMetadata', apiVersion });
  }
  return listed;
}

/** A watch shows each event in the form that is asked for, whatever others who watch ask for. */
export async function watchesInForm({ expect }: RuleContext, objects: Collection, kind: Subject): Promise<void> {
  const viewed = objects.viewed('labels');
  const resourceVersion = await listsMetadataAlone(viewed, expect);
  const forms = metaVersions.map((version) => ({ accept: inMeta('PartialObjectMetadata', version) }));
  const watches = [];
  for (const headers of forms) watches.push(await viewed.watch({ resourceVersion }, headers));
  const isPlain = plainKinds.includes(kind);
  // The documents do not ask for metadata alone: then there is none in a watch either.
  for (const [index, form] of (await lives(objects, forms)).entries()) {
    expect(form.metadata.deletionTimestamp, 'that it is going').toBeTypeOf('string');
    const events = (await watches[index]?.take(isPlain ? life.length : 4)) ?? [];
    areInForm(events, form, form.kind === objects.at.kind, expect);
    const types = events.map(({ type }) => type);
    if (isPlain) expect(types, 'in a watch').toEqual(life);
  }
}
