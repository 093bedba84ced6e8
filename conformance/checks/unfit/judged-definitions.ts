import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import {
  approvals,
  fittingConversions,
  fittingRules,
  fittingValues,
  fittingVersions,
  notWithStatus,
  unfitConversions,
  unfitRules,
  unfitValues,
  unfitVersions,
  vainValues,
} from './definitions.ts';
import type { Parts } from './judged-kind.ts';
import { changed } from './judged-objects.ts';

const version = (name: string, more: Json = {}): Json => ({
  ...{ name, served: true, storage: true },
  ...{ schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } } },
  ...more,
});
const shaped = (spec: Json): Json => ({
  versions: [version('v1', { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } })],
});
const within = (value: Json): Json => shaped({ type: 'object', properties: { f: value } });

const mapped = (all: Parts, into: (parts: Json) => Json): Parts =>
  Object.fromEntries(Object.entries(all).map(([what, parts]) => [what, into(parts)]));

/** Where the metadata of objects is described so. */
const described = (metadata: Json, more: Json = {}): Json => ({
  versions: [version('v1', { schema: { openAPIV3Schema: { type: 'object', properties: { metadata }, ...more } } })],
});

const ofVersion = (parts: Json): Json => ({ versions: [version('v1', parts)] });

/** Of objects of which the schema says so as a whole. */
const wholly = (more: Json): Json => ({
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } }, ...more } },
});
const apart = (more: Json): Json => ofVersion({ ...wholly(more), subresources: { status: {} } });

const unfitDefinitions: Parts = {
  'no version': { versions: [] },
  'no version to store objects in': { versions: [version('v1', { storage: false })] },
  'two versions to store objects in': { versions: [version('v1'), version('v2')] },
  'two versions of one name': { versions: ['v1', 'v2', 'v1'].map((name, at) => version(name, { storage: at === 0 })) },
  'a bad name of a version': { versions: [version('v1'), version('V_2', { storage: false })] },
  'no schema': { versions: [version('v1', { schema: undefined })] },
  'a root that is a text': { versions: [version('v1', { schema: { openAPIV3Schema: { type: 'string' } } })] },
  'labels of its own': described({ type: 'object', properties: { labels: { type: 'object' } } }),
  'a name by default': described({ type: 'object', properties: { name: { type: 'string', default: 'a' } } }),
  'a branch of what nobody described': described(
    { type: 'object' },
    { anyOf: [{ properties: { b: { minimum: 1 } } }] },
  ),
  'an unknown scope': { scope: 'Other' },
  'that nothing is pruned': { preserveUnknownFields: true },
  'a bad name for its kind': { names: { kind: 'not a kind' } },
  'a bad name for one': { names: { singular: 'a.b' } },
  'a bad short name': { names: { shortNames: ['a_b'] } },
  'a bad category': { names: { categories: ['Thing'] } },
  'one name for a kind and its lists': { names: { kind: 'Same', listKind: 'Same' } },
  ...mapped(unfitValues, within),
  ...mapped(unfitVersions, ofVersion),
  ...mapped(notWithStatus, apart),
  'a whole that may be null': ofVersion(wholly({ nullable: true })),
  ...unfitConversions,
};

const fittingDefinitions: Parts = {
  'a version that is not stored': { versions: [version('v1'), version('v2beta1', { storage: false })] },
  'short names and categories': { names: { shortNames: ['a1', 'a-b'], categories: ['all'] } },
  'what names look like': described({ type: 'object', properties: { name: { type: 'string', pattern: '^a' } } }),
  'a root that keeps all': {
    versions: [
      version('v1', { schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }),
    ],
  },
  ...mapped(fittingValues, within),
  ...mapped(fittingVersions, ofVersion),
  ...Object.fromEntries(
    Object.entries(notWithStatus).map(([what, more]) => [`${what}, of all`, ofVersion(wholly(more))]),
  ),
  'what has to be, beside a status': apart({ required: ['spec'], title: 'T', description: 'D' }),
  ...fittingConversions,
};

/** What an established type may not become. */
const fixedDefinitions: Parts = {
  'another scope': { scope: 'Cluster' },
  'another kind': { names: { kind: 'Other', listKind: 'OtherList' } },
  'without the version in which objects are stored': { versions: [version('v2')] },
};

/** A definition that is established, and others like it. */
interface Established {
  readonly name: string;
  readonly sound: Json;
  /** One with names of its own. */
  readonly anew: (parts: Json) => Json;
}

async function established(context: RuleContext): Promise<Established> {
  const { definitions, unique } = context;
  const { at } = await customType(context, {});
  const name = `${at.resource}.${at.group}`;
  const { metadata: _, status: __, ...sound } = await definitions.read(name);
  const anew = (parts: Json): Json => {
    const word = unique('t').replace(/[^a-z0-9]/g, '');
    const names = { plural: `${word}s`, singular: word, kind: `T${word.slice(1)}`, listKind: `T${word.slice(1)}List` };
    return { ...sound, metadata: { name: `${word}s.${at.group}` }, spec: merged({ ...sound.spec, names }, parts) };
  };
  return { name, sound, anew };
}

async function takes({ definitions, expect }: RuleContext, { anew }: Established, all: Parts): Promise<void> {
  for (const [what, parts] of Object.entries(all)) {
    const answer = await definitions.post(anew(parts), { dryRun: 'All' });
    expect(answer.status, `${what}: ${said(answer)}`).toBe(201);
  }
}

/** Of new definitions, and of the one that is established; that may not become what is `fixed`, either. */
async function refuses(context: RuleContext, one: Established, all: Parts, fixed: Parts = {}): Promise<void> {
  const { definitions, expect } = context;
  for (const [what, parts] of Object.entries(all)) {
    const sample = one.anew(parts);
    const answered = await definitions.post(sample);
    expect(answered.status, `${what}: ${said(answered)}`).toBe(422);
    expect((await definitions.get(sample.metadata.name)).status, `${what}, as stored`).toBe(404);
  }
  for (const [what, spec] of Object.entries({ ...all, ...fixed }))
    expect((await changed(definitions, one.name, { spec })).status, `${what}, by an update`).toBe(422);
  expect((await definitions.read(one.name)).spec, 'what is stored after that').toEqual(one.sound.spec);
}

/** A definition that makes sense is taken, one that makes none is refused, and an established one keeps what its objects depend on. */
export async function judgesDefinitions(context: RuleContext): Promise<void> {
  const { definitions, expect } = context;
  const one = await established(context);
  const { anew } = one;
  await takes(context, one, fittingDefinitions);
  for (const [what, [given, stored]] of Object.entries(vainValues)) {
    const answer = await definitions.post(anew(within(given)), { dryRun: 'All' });
    expect(answer.status, `${what}: ${said(answer)}`).toBe(201);
    const { spec } = answer.body.spec.versions[0].schema.openAPIV3Schema.properties;
    expect(spec.properties.f, `${what}, as stored`).toEqual(stored);
  }
  const other = anew({});
  const misnamed = { ...other, metadata: { name: `x${other.metadata.name}` } };
  expect((await definitions.post(misnamed, { dryRun: 'All' })).status, 'another name than its plural and group').toBe(
    422,
  );
  for (const [approval, expected] of Object.entries(approvals)) {
    const { spec, ...rest } = anew({ group: 'touchstone.k8s.io' });
    const annotations = approval ? { 'api-approved.kubernetes.io': approval } : {};
    const metadata = { name: `${spec.names.plural}.${spec.group}`, annotations };
    const { status } = await definitions.post({ ...rest, spec, metadata }, { dryRun: 'All' });
    expect(status, `a protected group, approved by ${JSON.stringify(approval)}`).toBe(expected);
  }
  await refuses(context, one, unfitDefinitions, fixedDefinitions);
}

/** The same, for rules in the definition. */
export async function judgesRuleDefinitions(context: RuleContext): Promise<void> {
  const one = await established(context);
  await takes(context, one, mapped(fittingRules, within));
  await refuses(context, one, mapped(unfitRules, within));
}
