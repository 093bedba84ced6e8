import type { Json } from '../verbs/client.ts';
import { edited } from './edited.ts';
import type { Sabotage } from './sabotage.ts';
import { changeAnswer } from './transforms.ts';

/** Discovery lists a version that is not there. */
export function pretendVersion(groupVersion: string): Sabotage {
  const [name, version] = groupVersion.split('/');
  const group = { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
  return changeAnswer(
    `pretends to serve ${groupVersion}`,
    (body: Json) => ({ ...body, groups: [...(body.groups ?? []), group] }),
    { path: /^\/apis$/ },
  );
}

const inSchema = { path: /^\/openapi\/v2$/ };

/** The published schema says nothing of the fields of custom types. */
export const forgetsCustomTypes: Sabotage = changeAnswer(
  'forgets custom types in its schema',
  (body: Json) =>
    edited(body, ['definitions'], (all) =>
      Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => !name.startsWith('example.'))),
    ),
  inSchema,
);

/** The published schema does not say that all objects of a custom type can be deleted at once. */
export const forgetsCustomDeletes: Sabotage = changeAnswer(
  'forgets in its schema that custom objects go together',
  (body: Json) =>
    edited(body, ['paths'], (all) =>
      Object.fromEntries(
        Object.entries<Json>(all ?? {}).map(([path, { delete: removes, ...rest }]) =>
          /touchstone\.example.*[^}]$/.test(path) ? [path, rest] : [path, { ...rest, delete: removes }],
        ),
      ),
    ),
  inSchema,
);
