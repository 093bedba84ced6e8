import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { nameOf } from '../../verbs/states.ts';
import { untilStatus } from '../../verbs/until-status.ts';

const asked = (form: string, version: string) => ({
  headers: { accept: `application/json;as=${form};g=meta.k8s.io;v=${version}, application/json` },
});

/** A custom object is shown in every form by each version of its definition, stored in it or not. */
export async function showsVersions(context: RuleContext): Promise<void> {
  const { kind, expect } = context;
  const stored = await customType(context, { others: ['v2'] });
  const { name, uid } = (await stored.create()).metadata;
  const alone = 'PartialObjectMetadata';
  // The documents do not ask for metadata alone.
  const shows = (await stored.get(name, '', asked(alone, 'v1'))).body?.kind === alone;
  for (const objects of [stored, kind({ ...stored.at, version: 'v2' })]) {
    await untilStatus(context, `it is there by ${objects.at.version}`, 200, () => objects.get(name));
    for (const version of ['v1', 'v1beta1']) {
      const apiVersion = `meta.k8s.io/${version}`;
      const what = `${apiVersion}, by ${objects.at.version}`;
      const table = { kind: 'Table', apiVersion, rows: [{ object: { apiVersion: apiVersionOf(objects.at) } }] };
      const whole = { includeObject: 'Object' };
      expect((await objects.get(name, whole, asked('Table', version))).body, what).toMatchObject(table);
      expect((await objects.getAll(whole, asked('Table', version))).body, what).toMatchObject(table);
      if (!shows) continue;
      const one = (await objects.get(name, '', asked(alone, version))).body;
      expect(one, what).toMatchObject({ kind: alone, apiVersion, metadata: { name, uid } });
      const all = (await objects.getAll('', asked(`${alone}List`, version))).body;
      expect(all, what).toMatchObject({ kind: `${alone}List`, apiVersion });
      expect(all.items.map(nameOf), what).toEqual([name]);
    }
  }
}
