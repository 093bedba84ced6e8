import type { Expect } from '../../assertions.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { specChanges } from './judged-custom.ts';

const limited = (maximum: number, colour: string): Json => ({
  type: 'object',
  properties: {
    ...{ size: { type: 'integer', maximum }, count: { type: 'integer' } },
    colour: { type: 'string', default: colour },
  },
});

/** What a version shows in a row, and where it has its number of replicas. */
const showing = (field: string): Json => ({
  additionalPrinterColumns: [{ name: field, type: 'integer', jsonPath: `.spec.${field}` }],
  subresources: { scale: { specReplicasPath: `.spec.${field}`, statusReplicasPath: '.status.ready' } },
});

/** Each version has limits, defaults and more of its own; objects are stored in the first. */
const versions = [
  { version: 'v1', most: 5, colour: 'red', field: 'size' },
  { version: 'v2', most: 9, colour: 'blue', field: 'count' },
] as const;

const count = 3;
const table = { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } };

/** The type in each of its versions. */
type Versions = Readonly<Record<string, Collection>>;

/** What each version makes of an object, in whichever it was written. */
async function showsByVersion(all: Versions, { metadata, spec }: Json, expect: Expect): Promise<void> {
  for (const { version, field } of versions) {
    const things = all[version] as Collection;
    expect((await things.read(metadata.name)).spec, `as written, in ${version}`).toEqual(spec);
    const { columnDefinitions, rows } = (await things.get(metadata.name, '', table)).body;
    expect(columnDefinitions?.[1]?.name, `the column of ${version}`).toBe(field);
    expect(rows?.[0]?.cells[1], `what ${version} shows in it`).toBe(spec[field]);
    const scale = await things.get(metadata.name, '', { sub: 'scale' });
    expect(scale.body?.spec?.replicas, `the number of replicas in ${version}`).toBe(spec[field]);
  }
}

/** What is written in a version is judged, filled in and shown as that one says, in whichever objects are stored. */
export async function judgesByVersion(context: RuleContext): Promise<void> {
  const { kind, expect } = context;
  const [first, second] = versions.map(({ most, colour }) => limited(most, colour));
  const parts = { spec: first, version: showing('size'), otherSpec: second, otherVersion: showing('count') };
  const { at } = await customType(context, { ...parts, others: ['v2'] });
  const all = Object.fromEntries(versions.map(({ version }) => [version, kind({ ...at, version })]));
  for (const { version, most, colour } of versions) {
    const things = all[version] as Collection;
    const made = await things.post(things.sample({ spec: { size: most, count } }));
    expect(made.status, `as much as may be in ${version}: ${said(made)}`).toBe(201);
    expect(made.body.spec.colour, `the default of ${version}`).toBe(colour);
    const more = { size: most + 1 };
    expect((await things.post(things.sample({ spec: more }))).status, `too much in ${version}`).toBe(422);
    for (const [write, send] of Object.entries(specChanges(things, made.body, more)))
      expect((await send()).status, `too much in ${version} by ${write}`).toBe(422);
    await showsByVersion(all, made.body, expect);
  }
}
