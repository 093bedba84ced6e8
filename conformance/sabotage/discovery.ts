import type { Json } from '../verbs/client.ts';
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
