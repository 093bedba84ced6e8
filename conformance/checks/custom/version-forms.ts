import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { nameOf } from '../../verbs/states.ts';
import { untilStatus } from '../../verbs/until-status.ts';

const asked = (form: string, version: string) => ({
  headers: { accept: `application/json;as=${form};g=meta.k8s.io;v=${version}, application/json` },
});

const alone = 'PartialObjectMetadata';

/** A custom object is shown in every form by each version of its definition, stored in it or not. */
export async function showsVersions(context: RuleContext): Promise<void> {
  const { kind } = context;
  const stored = await customType(context, { others: ['v2'] });
  const { metadata } = await stored.create();
  // The documents do not ask for metadata alone.
  const shows = (await stored.get(metadata.name, '', asked(alone, 'v1'))).body?.kind === alone;
  for (const objects of [stored, kind({ ...stored.at, version: 'v2' })]) {
    await untilStatus(context, `it is there by ${objects.at.version}`, 200, () => objects.get(metadata.name));
    for (const version of ['v1', 'v1beta1']) {
      await isTable(context, objects, metadata, version);
      if (shows) await isMetadataAlone(context, objects, metadata, version);
    }
  }
}

const told = ({ at }: Collection, version: string): string => `meta.k8s.io/${version}, by ${at.version}`;

async function isTable({ expect }: RuleContext, objects: Collection, { name }: Json, version: string): Promise<void> {
  const row = { object: { apiVersion: apiVersionOf(objects.at) } };
  const table = { kind: 'Table', apiVersion: `meta.k8s.io/${version}`, rows: [row] };
  const whole = { includeObject: 'Object' };
  const what = told(objects, version);
  expect((await objects.get(name, whole, asked('Table', version))).body, what).toMatchObject(table);
  expect((await objects.getAll(whole, asked('Table', version))).body, what).toMatchObject(table);
}

async function isMetadataAlone({ expect }: RuleContext, objects: Collection, { name, uid }: Json, version: string) {
  const apiVersion = `meta.k8s.io/${version}`;
  const what = told(objects, version);
  const one = (await objects.get(name, '', asked(alone, version))).body;
  expect(one, what).toMatchObject({ kind: alone, apiVersion, metadata: { name, uid } });
  const all = (await objects.getAll('', asked(`${alone}List`, version))).body;
  expect(all, what).toMatchObject({ kind: `${alone}List`, apiVersion });
  expect(all.items.map(nameOf), what).toEqual([name]);
}
